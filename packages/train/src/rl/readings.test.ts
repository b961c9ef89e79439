import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FrozenPolicy } from '../policy/policy.ts'
import { readerFolder, shortParts, shortTraining } from '../testing/short-training.ts'
import { rollOutAll } from './readings.ts'
import { createTrainingParts } from './training-parts.ts'

const folder = readerFolder(beforeAll, afterAll)

it('releases a rollout when it ends, while others are still reading', async () => {
  const config = shortTraining(folder.join('run'), folder.join('model'))
  const { engine, workflow, task } = await createTrainingParts(config, shortParts)
  const { tokens, profile } = engine
  const countTokens = (text: string) => tokens.tokenizer.count(text)
  const samples = await Promise.all(
    [0, 1].map((index) => task.sample({ index, seed: 1, lengthTokens: 12, countTokens })),
  )
  let release: () => void = () => undefined
  const firstReduced = new Promise<void>((resolve) => {
    release = resolve
  })
  const policy: Pick<FrozenPolicy, 'sample'> = {
    // Readers of the second document wait for the first to finish, or forever.
    async sample({ promptTokens, seed }) {
      if (seed >= 0 && tokens.tokenizer.decode([...promptTokens]).includes('what 1')) await firstReduced
      return { tokens: [tokens.endToken], logprobs: Float32Array.of(-1), stopReason: 'stop' }
    },
  }
  const options = { workflow, profile, tokens, order: 'free', task } as const
  const jobs = samples.map((sample, seed) => ({ sample, sampling: { temperature: 1, topP: 1, seed } }))
  const reduced: string[] = []
  const results = await rollOutAll(
    jobs,
    { ...options, policy: policy as FrozenPolicy },
    (rollout, { sample }) => {
      reduced.push(sample.id)
      release()
      return rollout.conversations.length
    },
  )
  expect(reduced).toEqual(['short/0', 'short/1'])
  expect(results.every((conversations) => conversations > 1)).toBe(true)
})
