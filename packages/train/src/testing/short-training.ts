/** Short runs of reinforcement learning with a tiny random reader, for tests. */
import { createTextDocument, type Json, overwrite, type Workflow } from '@memagent/core'
import { type Hook, type TemporaryFolder, temporaryFolder } from '@memagent/core/testing'
import type { Sample, Task } from '@memagent/tasks'
import { parseRlConfig, type RlConfig } from '../rl/config.ts'
import type { RlEvent } from '../rl/events.ts'
import { trainRl } from '../rl/trainer.ts'
import type { GivenParts } from '../rl/training-parts.ts'
import type { RlOptions } from '../rl/training-run.ts'
import { writeTinyReader } from './tiny-reader.ts'

/** Three chunks of a tiny reader. */
export const shortSample: Sample = {
  id: 'one',
  question: 'what',
  document: createTextDocument('one two three. four five six. seven eight nine.', 'short'),
  references: ['one'],
  match: 'any',
  evidence: [],
  labels: {},
}

/** Scores whether a memory was kept: a tiny random model does that now and then, so rewarding it gives signal. */
export const shortAnswers: Task = {
  name: 'short-answers',
  async sample({ index }) {
    return {
      id: `short/${index}`,
      question: `what ${index % 3}`,
      document: createTextDocument(`one two three ${index}. four five six. seven eight.`, `short-${index}`),
      references: ['one'],
      match: 'any',
      evidence: [],
      labels: {},
    }
  },
  score: (_, answer) => ({ strict: (answer ?? '').length % 2, lenient: 1 }),
}

/** A tiny random model never closes a box or stops: its last response counts as the answer. */
export const unboxed = {
  ...overwrite,
  async answer(...given) {
    const { response } = await overwrite.answer(...given)
    return response === undefined
      ? { text: '', outcome: 'not-found' }
      : { text: response.trim(), outcome: 'found' }
  },
} as typeof overwrite as unknown as Workflow<Json>

/** A temporary folder with a tiny reader in `model`. @param before `beforeAll` of the runner, as `after` is `afterAll` */
export function readerFolder(before: Hook, after: Hook): TemporaryFolder {
  const folder = temporaryFolder(before, after)
  before(async () => {
    await writeTinyReader(folder.join('model'))
  })
  return folder
}

/** @param model a folder that `writeTinyReader` wrote @param change further lines of the configuration */
export const shortTraining = (
  output: string,
  model: string,
  change = '',
  { steps = 4, optimizer = '', threads = 1 } = {},
): RlConfig =>
  parseRlConfig(
    `
output: ${output}
engine: { kind: embedded, startFrom: ${model}, threads: ${threads}, batchTokens: 256 }
task: { name: facts-in-prose }
curriculum: [{ steps: ${steps}, lengths: [12] }]
rollouts: { groups: 2, groupSize: 3, draws: 2 }
loss: { klCoefficient: 0.01 }
updates: 2
optimizer: { learningRate: 0.01, warmupSteps: 2${optimizer} }
evaluation: { every: 2, samples: 4, lengths: [12, 24] }
checkpointEvery: 1
${change}`,
    output,
  )

export const shortParts = {
  workflow: unboxed,
  task: shortAnswers,
  evaluationTask: shortAnswers,
} satisfies GivenParts

/** Trains until it ends, or is killed after an event. */
export async function runTraining(
  config: RlConfig,
  until: (event: RlEvent) => boolean = () => false,
  changes: RlOptions = {},
): Promise<RlEvent[]> {
  const events: RlEvent[] = []
  for await (const event of trainRl(config, { ...shortParts, ...changes })) {
    events.push(event)
    if (until(event)) break
  }
  return events
}
