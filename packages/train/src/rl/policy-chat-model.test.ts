import { paperProfile } from '@memagent/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scriptedReader } from '../testing/scripted-rollout.ts'
import { createPolicyChatModel } from './policy-chat-model.ts'

const reader = scriptedReader(beforeAll, afterAll)

it('gives log-probabilities where a workflow asks for them, so that it decides in training as it does in use', async () => {
  const { tokens } = reader
  const model = createPolicyChatModel({
    name: 'policy',
    tokens,
    profile: paperProfile,
    policy: {
      async sample() {
        const written = [...tokens.tokenizer.encode('none'), tokens.endToken]
        return { tokens: written, logprobs: new Float32Array(written.length).fill(-0.5), stopReason: 'stop' }
      },
    },
  })
  const messages = [{ role: 'user' as const, content: 'Who came?' }]
  const asked = await model.generate(messages, { maxTokens: 8, logprobs: true })
  expect(asked.text).toBe('none')
  expect(asked.logprobs?.map(({ id }) => id)).toEqual([...asked.tokens!.responseTokens])
  expect(asked.logprobs?.every(({ logprob }) => logprob === -0.5)).toBe(true)
  expect(await model.generate(messages, { maxTokens: 8 })).not.toHaveProperty('logprobs')
})
