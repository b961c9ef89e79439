/** What a response earns that has not the form its workflow asks for. */
import { join } from 'node:path'
import { createTextDocument, edits, type Json, type ModelProfile, type Workflow } from '@memagent/core'
import { parseProfile } from '@memagent/core/settings'
import { temporaryFolder } from '@memagent/core/testing'
import { loadModelFolder } from '@memagent/engine'
import { type Sample, scoreAnswer, type Task } from '@memagent/tasks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shortAnswers, shortTraining } from '../testing/short-training.ts'
import { writeTinyReader } from '../testing/tiny-reader.ts'
import { createReaderTokens, type ReaderTokens } from './reader-tokens.ts'
import { metricReward, stepRewards } from './rewards.ts'
import { rollOut } from './rollout.ts'
import { trainRl } from './trainer.ts'
import { trainingConversations } from './training-conversations.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const sample: Sample = {
  id: 'one',
  question: 'what',
  document: createTextDocument('one two three. four five six. seven eight nine.', 'short'),
  references: ['one'],
  match: 'any',
  evidence: [],
  labels: {},
}
const task: Task = { name: 'one', sample: async () => sample, score: scoreAnswer }
let tokens: ReaderTokens
let profile: ModelProfile
beforeAll(async () => {
  const budget = { window: 512, question: 16, chunk: 12, memory: 24, output: 64 }
  const model = await loadModelFolder(await writeTinyReader(folder.path, { budget }))
  tokens = createReaderTokens(model.tokenizerJson, model.tokenizerConfig, 'tiny')
  profile = { ...parseProfile(model.profile!), prompts: 'compact' }
})

/** A reading with these edits, one after another; a memory that is full is answered by the last. */
const reading = (updates: readonly string[], consolidation = 'none') => {
  let update = 0
  return rollOut({
    task,
    tokens,
    profile,
    sample,
    workflow: edits as unknown as Workflow<Json>,
    sampling: { temperature: 1, topP: 1, seed: 1 },
    policy: {
      async sample({ promptTokens }) {
        const prompt = tokens.tokenizer.decode([...promptTokens])
        const text = prompt.includes('<section></section>')
          ? consolidation
          : prompt.includes('<section>')
            ? updates[update++ % updates.length]!
            : '\\boxed{one}'
        const written = [...tokens.tokenizer.encode(text), tokens.endToken]
        return { tokens: written, logprobs: new Float32Array(written.length), stopReason: 'stop' }
      },
    },
  })
}
const marks = (rollout: Awaited<ReturnType<typeof reading>>) =>
  rollout.conversations.map(({ tag, isMalformed }) => `${tag.kind}${isMalformed ? ' malformed' : ''}`)

it('marks the very response, and the rollout earns nothing', async () => {
  const earned = metricReward('strict')
  const good = await reading(['+ one', 'none'])
  expect(marks(good).filter((mark) => mark !== 'update')).toEqual(['answer'])
  expect([good.keptMemories, good.metrics.strict, earned(good, sample)]).toEqual([0, 1, 1])

  const bad = await reading(['+ one', 'one', 'none'])
  expect(marks(bad).slice(0, 3)).toEqual(['update', 'update malformed', 'update'])
  expect([bad.keptMemories, bad.metrics.strict, earned(bad, sample)]).toEqual([1, 1, 0])
  // Compared with the same step of a reading that kept to the form: A = 0.8 * 0 + 0.2 * (-1 - (-1 + 0) / 2).
  const group = { index: 0, sample, lengthTokens: 9, rollouts: [good, bad], earned: [0, 0], rewards: [0, 0] }
  const steps = { reward: stepRewards.format!, alpha: 0.8 }
  const advantages = trainingConversations([group], { credit: 'all', steps }).map(
    ({ advantage }) => advantage,
  )
  expect(advantages).toHaveLength(good.conversations.length + bad.conversations.length)
  const at = (member: number, step: number) => advantages[member * good.conversations.length + step]
  expect(at(0, 1)).toBeCloseTo(0.1, 12)
  expect(at(1, 1)).toBeCloseTo(-0.1, 12)
  expect(advantages.filter((advantage) => Math.abs(advantage) > 1e-9)).toHaveLength(2)
})

it('of a consolidation, too, though the memory of the step was sampled', async () => {
  const full = ['+ one two three four', '+ five six seven eight nine', '+ ten one two four five']
  const good = await reading(full, '-#1')
  const bad = await reading(full, '-#7')
  expect(marks(good)).toContain('consolidate')
  expect(marks(bad)).toContain('consolidate malformed')
  expect(bad.keptMemories).toBe(0)
  expect(stepRewards.format!(bad, sample)).toContain(-1)
  expect(metricReward('strict')(bad, sample)).toBe(0)
  expect(metricReward('strict')(good, sample)).toBe(good.metrics.strict)
})

it('is counted in training by name, where a random model writes no edit at all', async () => {
  const steps = 'workflow: edits\nreward: { steps: { name: format } }'
  const config = shortTraining(join(folder.path, 'run'), folder.path, steps, { steps: 1 })
  const kept: number[] = []
  for await (const event of trainRl(config, { task: shortAnswers, evaluationTask: shortAnswers })) {
    if (event.type === 'step-end') kept.push(event.metrics.keptMemories)
  }
  expect(kept).toHaveLength(1)
  expect(kept[0]).toBeGreaterThan(0)
})
