import { createTextDocument, overwrite } from '@memagent/core'
import type { Sample, Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedReader } from '../testing/scripted-rollout.ts'
import { metricReward } from './rewards.ts'
import { trainingConversations } from './training-conversations.ts'

const earned = metricReward('strict')
const sample: Sample = {
  id: 'one',
  question: 'what',
  document: createTextDocument('one two three. four five six.', 'short'),
  references: ['one'],
  match: 'any',
  evidence: [],
  labels: {},
}
const budget = { window: 1000, question: 16, chunk: 24, memory: 24, output: 900 }
const reader = scriptedReader(beforeAll, afterAll, budget)

it('does not take the empty response of a silent policy for "not in the text"', async () => {
  const score: Task['score'] = (_, answer) => ({ strict: answer === undefined ? 1 : 0 })
  const rollout = await reader.rollOut(overwrite, sample, () => '', score)
  const { answer, keptMemories, memories, metrics } = rollout
  expect(keptMemories).toBeGreaterThan(0)
  expect({ answer, kept: keptMemories, metrics }).toEqual({
    answer: '',
    kept: memories.length,
    metrics: { strict: 0 },
  })
})

describe('what a rollout earns', () => {
  /** A reading that responds with these rewrites, in turn, and this final response. */
  const saying = (sample: Sample, memories: readonly string[], response: string) => {
    let rewrites = 0
    return reader.rollOut(overwrite, sample, (prompt) =>
      prompt.includes('<section>') ? memories[rewrites++ % memories.length]! : response,
    )
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
  const rollouts = [
    await reader.rollOut(overwrite, sample, (prompt) => ({
      cut: prompt.includes('<section>') ? written : '\\boxed{one}',
    })),
    await reader.rollOut(overwrite, sample, (prompt) =>
      prompt.includes('<section>') ? 'one' : '\\boxed{one}',
    ),
  ]
  // The rewrite ran into its limit; the reader keeps its whole sentences.
  expect(rollouts[0]!.memories.at(-1)).toBe('one two three four five six.')
  expect(rollouts[0]!.keptMemories).toBe(0)
  const group = { index: 0, sample, lengthTokens: 10, rollouts, earned: [1, 0], rewards: [1, 0] }
  const [rewrite] = trainingConversations([group], { credit: 'all' })
  expect(rewrite!.responseTokens).toEqual(reader.tokens.tokenizer.encode(written))
  expect(rewrite!.advantage).toBe(0.5)
})
