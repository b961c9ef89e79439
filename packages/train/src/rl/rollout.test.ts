import { createTextDocument, type Json, type ModelProfile, overwrite, type Workflow } from '@memagent/core'
import { parseProfile } from '@memagent/core/settings'
import { temporaryFolder } from '@memagent/core/testing'
import { loadModelFolder } from '@memagent/engine'
import { type Sample, scoreAnswer, type Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeTinyReader } from '../testing/tiny-reader.ts'
import { createReaderTokens, type ReaderTokens } from './reader-tokens.ts'
import { metricReward } from './rewards.ts'
import { rollOut } from './rollout.ts'
import { trainingConversations } from './training-conversations.ts'

const earned = metricReward('strict')
const folder = temporaryFolder(beforeAll, afterAll)

const sample: Sample = {
  id: 'one',
  question: 'what',
  document: createTextDocument('one two three. four five six.', 'short'),
  references: ['one'],
  match: 'any',
  evidence: [],
  labels: {},
}
let tokens: ReaderTokens
let profile: ModelProfile
beforeAll(async () => {
  const model = await loadModelFolder(
    await writeTinyReader(folder.path, {
      budget: { window: 1000, question: 16, chunk: 24, memory: 24, output: 900 },
    }),
  )
  tokens = createReaderTokens(model.tokenizerJson, model.tokenizerConfig, 'tiny')
  profile = parseProfile(model.profile!)
})
const reader = {
  sample,
  workflow: overwrite as unknown as Workflow<Json>,
  sampling: { temperature: 1, topP: 1, seed: 1 },
}

it('does not take the empty response of a silent policy for "not in the text"', async () => {
  const task: Task = {
    name: 'silence',
    sample: async () => sample,
    score: (_, answer) => ({ strict: answer === undefined ? 1 : 0 }),
  }
  const { answer, keptMemories, memories, metrics } = await rollOut({
    ...reader,
    task,
    tokens,
    profile,
    policy: {
      sample: async () => ({
        tokens: [tokens.endToken],
        logprobs: Float32Array.of(0),
        stopReason: 'stop',
      }),
    },
  })
  expect(keptMemories).toBeGreaterThan(0)
  expect({ answer, kept: keptMemories, metrics }).toEqual({
    answer: '',
    kept: memories.length,
    metrics: { strict: 0 },
  })
})

describe('what a rollout earns', () => {
  const task: Task = { name: 'one', sample: async () => sample, score: scoreAnswer }
  /** A reading that responds with these rewrites, in turn, and this final response. */
  const saying = (sample: Sample, memories: readonly string[], response: string) => {
    let rewrites = 0
    return rollOut({
      ...reader,
      task,
      tokens,
      profile,
      sample,
      policy: {
        async sample({ promptTokens }) {
          const isRewrite = tokens.tokenizer.decode([...promptTokens]).includes('<section>')
          const text = isRewrite ? memories[rewrites++ % memories.length]! : response
          const written = [...tokens.tokenizer.encode(text), tokens.endToken]
          return { tokens: written, logprobs: new Float32Array(written.length), stopReason: 'stop' }
        },
      },
    })
  }
  const unanswerable = { ...sample, references: [] }

  it.each([
    ['\\boxed{one}', 1],
    ['so: \\boxed{one}.', 1],
    // To a person, all of these are the answer.
    ['one', 0],
    ['\\boxed{one', 0],
    [`\\boxed{one}${' two'.repeat(75)}`, 0],
  ])('by %j is %d', async (response, reward) => {
    const rollout = await saying(sample, ['one'], response)
    expect([rollout.keptMemories, rollout.metrics]).toEqual([0, { strict: 1, lenient: 1 }])
    expect(earned(rollout, sample)).toBe(reward)
  })

  it.each([
    ['\\boxed{not in the text}', 1],
    ['not in the text', 0],
    ['\\boxed{}', 0],
  ])('by %j is %d where there is no answer', async (response, reward) => {
    const rollout = await saying(unanswerable, ['one'], response)
    expect(earned(rollout, sample)).toBe(reward)
  })

  it('needs no final response if nothing was noted', async () => {
    const rollout = await saying(unanswerable, ['nothing yet'], 'never asked for')
    expect(rollout.conversations.map(({ tag }) => tag.kind)).not.toContain('answer')
    expect(earned(rollout, sample)).toBe(1)
  })

  it('is zero if a previous memory was kept', async () => {
    const document = createTextDocument('one two three. four five six. '.repeat(20), 'longer')
    const rollout = await saying({ ...sample, document }, ['one', ''], '\\boxed{one}')
    expect(rollout.keptMemories).toBeGreaterThan(0)
    expect([rollout.isBoxed, rollout.metrics.strict]).toEqual([true, 1])
    expect(earned(rollout, sample)).toBe(0)
  })
})

it('learns from every sampled token of a memory, including those cut off its end', async () => {
  const written = 'one two three four five six. seven eight what'
  const memories = [written, 'one']
  const rollouts = []
  for (const memory of memories) {
    rollouts.push(
      await rollOut({
        ...reader,
        task: { name: 'one', sample: async () => sample, score: scoreAnswer },
        tokens,
        profile,
        policy: {
          async sample({ promptTokens }) {
            const isRewrite = tokens.tokenizer.decode([...promptTokens]).includes('<section>')
            const response = tokens.tokenizer.encode(isRewrite ? memory : '\\boxed{one}')
            const logprobs = new Float32Array(response.length)
            return { tokens: response, logprobs, stopReason: memory === written ? 'length' : 'stop' }
          },
        },
      }),
    )
  }
  // The rewrite ran into its limit; the reader keeps its whole sentences.
  expect(rollouts[0]!.memories.at(-1)).toBe('one two three four five six.')
  expect(rollouts[0]!.keptMemories).toBe(0)
  const group = { index: 0, sample, lengthTokens: 10, rollouts, earned: [1, 0], rewards: [1, 0] }
  const [rewrite] = trainingConversations([group], { credit: 'all' })
  expect(rewrite!.responseTokens).toEqual(tokens.tokenizer.encode(written))
  expect(rewrite!.advantage).toBe(0.5)
})
