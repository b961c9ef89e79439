/** A run with the caller's own engine, workflow, task and rewards, as objects or by path. */
import { writeFile } from 'node:fs/promises'
import { type Json, overwrite, type Workflow } from '@memagent/core'
import type { Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readerFolder, shortAnswers } from '../testing/short-training.ts'
import type { RlSettings } from './config.ts'
import { createTrainingEngine } from './engine.ts'
import type { RlEvent } from './events.ts'
import { trainRl } from './trainer.ts'
import type { RlOptions } from './training-run.ts'

const folder = readerFolder(beforeAll, afterAll)

const settings = (name: string): RlSettings => ({
  output: folder.join(`run-${name}`),
  curriculum: [{ steps: 2, lengths: [12] }],
  rollouts: { groups: 1, groupSize: 4 },
  loss: { klCoefficient: 0 },
  optimizer: { learningRate: 0.01, warmupSteps: 0 },
  evaluation: { every: 2, samples: 2, lengths: [12] },
})
const embedded = () => ({ kind: 'embedded', startFrom: folder.join('model'), threads: 1 }) as const
async function run(config: RlSettings, options?: RlOptions): Promise<RlEvent[]> {
  const events: RlEvent[] = []
  for await (const event of trainRl(config, options)) events.push(event)
  return events
}
const stepsOf = (events: readonly RlEvent[]) =>
  events.flatMap((event) => (event.type === 'step-end' ? [event.metrics] : []))

describe('trainRl', () => {
  it('takes an engine, a workflow, a task and a reward as objects, without names and without a file', async () => {
    const config = settings('objects')
    const engine = await createTrainingEngine(embedded(), config)
    const asked = new Set<string>()
    const workflow = {
      ...overwrite,
      read(...given: Parameters<typeof overwrite.read>) {
        asked.add('workflow')
        return overwrite.read(...given)
      },
    } as unknown as Workflow<Json>
    const task: Task = { ...shortAnswers, name: 'mine', score: () => ({ lines: 1 }) }
    const events = await run(config, {
      engine: {
        ...engine,
        createPolicy(restoreFrom) {
          asked.add('engine')
          return engine.createPolicy(restoreFrom)
        },
      },
      workflow,
      task,
      // Random, so that it differs within a group.
      reward: ({ conversations }) => 0.25 + 0.5 * (conversations.at(-1)!.responseTokens[0]! % 2),
    })
    expect([...asked].sort()).toEqual(['engine', 'workflow'])
    for (const { reward, metrics } of stepsOf(events)) {
      expect(metrics).toEqual({ lines: 1 })
      expect(reward).toBeGreaterThanOrEqual(0.25)
    }
    expect(stepsOf(events).some(({ optimizerSteps }) => optimizerSteps > 0)).toBe(true)
    const [evaluation] = events.flatMap((event) => (event.type === 'evaluation-end' ? event.results : []))
    for (const score of evaluation!.scores) expect([0.25, 0.75]).toContain(score)
    expect(events.at(-1)?.type).toBe('training-end')
  })

  it('does not resume with a task of another name', async () => {
    const options = async (name: string) => ({
      engine: await createTrainingEngine(embedded(), settings('renamed')),
      task: { ...shortAnswers, name },
    })
    await run(settings('renamed'), await options('mine'))
    await expect(run(settings('renamed'), await options('yours'))).rejects.toMatchObject({
      code: 'train/checkpoint-of-another-run',
    })
  })

  it('does not go on with another task in place of the one that the configuration names', async () => {
    const config = { ...settings('replaced'), task: { name: 'facts-in-prose' } }
    const engine = await createTrainingEngine(embedded(), config)
    await run(config, { engine, task: shortAnswers })
    await expect(run(config, { engine, task: { ...shortAnswers, name: 'other' } })).rejects.toMatchObject({
      code: 'train/checkpoint-of-another-run',
    })
    await expect(run(config, { engine })).rejects.toMatchObject({ code: 'train/checkpoint-of-another-run' })
  })

  it.each([
    ['NaN', () => Number.NaN, /^The reward of short\/0 is NaN, not a finite number/],
    ['a promise', (async () => 1) as unknown as () => number, /^The reward of short\/0 is a promise/],
    ['nothing', (() => undefined) as unknown as () => number, /is undefined, not a finite number/],
  ])('refuses %s as a reward, in the evaluation before training', async (name, reward, message) => {
    const config = settings(`reward-${name.length}`)
    const engine = await createTrainingEngine(embedded(), config)
    const events: RlEvent[] = []
    const training = (async () => {
      for await (const event of trainRl(config, { engine, task: shortAnswers, reward })) events.push(event)
    })()
    await expect(training).rejects.toThrow(message)
    expect(events.map(({ type }) => type)).toEqual(['training-start'])
  })

  it.each([
    ['engine', { task: shortAnswers }],
    ['task', {}],
  ])('says which %s is missing', async (what, options) => {
    await expect(run(settings('missing'), options)).rejects.toMatchObject({ code: `train/no-${what}` })
  })

  it.each([
    ['a part that there is not', { rewards: () => 1 }, /rewards is unknown \(did you mean reward\?\)/],
    ['a name in place of an object', { task: 'facts-in-prose' }, /task cannot be "facts-in-prose"/],
    [
      'a metric in place of a reward',
      { reward: 'strict' },
      /reward cannot be "strict" \(it takes a function\)/,
    ],
    ['a task that cannot score', { task: { ...shortAnswers, score: undefined } }, /task.score is missing/],
    ['a weight of more than all', { steps: { reward: () => [], alpha: 2 } }, /steps.alpha cannot be 2/],
    ['an empty workflow', { workflow: {} }, /workflow.read is missing/],
    ['an empty engine', { engine: {} }, /engine.createPolicy is missing/],
  ])('names %s, before anything is loaded', async (_, options, message) => {
    await expect(run(settings('given'), options as unknown as RlOptions)).rejects.toThrow(message)
  })

  it('names a task whose score is no number, and does not train on it', async () => {
    const config = settings('scored')
    const engine = await createTrainingEngine(embedded(), config)
    const task: Task = { ...shortAnswers, name: 'mine', score: () => ({ strict: Number.NaN }) }
    await expect(run(config, { engine, task })).rejects.toMatchObject({
      code: 'task/bad-task',
      message: expect.stringContaining('The task mine: score must give numbers'),
    })
  })

  it('names what is wrong in an object', async () => {
    const wrong = { ...settings('wrong'), rollouts: { groups: 0, groupSize: 4 } }
    await expect(run(wrong)).rejects.toThrow(
      /The configuration is not a valid[\s\S]*rollouts.groups cannot be 0/,
    )
  })
})

describe("a step reward of one's own", () => {
  /** Every answer earns the same: all learning comes from the step rewards. */
  const options = async (name: string) => ({
    engine: await createTrainingEngine(embedded(), settings(name)),
    task: shortAnswers,
    reward: () => 0,
  })
  const source = 'export default ({ conversations }) => conversations.map((one) => one.responseTokens[0] % 2)'

  it('is an object, or the path of a module', async () => {
    const path = folder.join('step-reward.mjs')
    await writeFile(path, source)
    const byPath = { ...settings('by-path'), reward: { steps: { name: path } } }
    const named = stepsOf(await run(byPath, await options('by-path')))
    const steps = {
      reward: ({ conversations }: { conversations: readonly { responseTokens: readonly number[] }[] }) =>
        conversations.map(({ responseTokens }) => responseTokens[0]! % 2),
      alpha: 0.8,
    }
    const given = stepsOf(await run(settings('by-object'), { ...(await options('by-object')), steps }))
    expect(given.map(({ loss }) => loss)).toEqual(named.map(({ loss }) => loss))
    expect(given.some(({ optimizerSteps }) => optimizerSteps > 0)).toBe(true)
  })

  it.each([
    [
      'missing.mjs',
      undefined,
      /missing.mjs of reward.steps.name gives no step reward: there is no such file/,
    ],
    ['broken.mjs', 'throw new Error("oh")', /it cannot be loaded: oh/],
    ['empty.mjs', 'export const reward = 1', /its default export is not a function/],
    ['short.mjs', 'export default () => [1]', /short.mjs gave \[1\] for the \d conversations/],
    ['none.mjs', 'export default () => {}', /none.mjs gave undefined for the \d conversations/],
    ['async.mjs', 'export default async () => { throw 1 }', /async.mjs gave a promise for the/],
    ['failing.mjs', 'export default () => { throw new Error("oh") }', /failing.mjs failed .oh. for the/],
    ['infinite.mjs', `export default ({ conversations }) => conversations.map(() => 1 / 0)`, /finite/],
  ])('%s is refused with the reason', async (name, content, message) => {
    if (content) await writeFile(folder.join(name), content)
    const config = { ...settings(name), reward: { steps: { name: folder.join(name) } } }
    await expect(run(config, await options(name))).rejects.toThrow(message)
  })

  it('with an unknown name is refused before anything is loaded', async () => {
    const config = { ...settings('unknown'), reward: { steps: { name: 'memory-recal' } } }
    await expect(run(config)).rejects.toThrow(/reward.steps.name cannot be "memory-recal".*memory-recall/)
  })
})
