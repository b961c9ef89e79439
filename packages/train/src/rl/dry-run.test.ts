import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTextDocument } from '@memagent/core'
import type { Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readerFolder, shortAnswers, shortParts, shortTraining } from '../testing/short-training.ts'
import type { RlConfig } from './config.ts'
import { dryRun } from './dry-run.ts'
import { createTrainingParts } from './training-parts.ts'

const folder = readerFolder(beforeAll, afterAll)
const configOf = (name: string, change?: string): RlConfig =>
  shortTraining(folder.join(name), folder.join('model'), change)

describe('dryRun', () => {
  it('counts what a step trains on, with memories at their limit', async () => {
    const config = configOf('dry')
    const { step, steps, flopsPerStep } = await dryRun(config, shortParts)
    const { budget } = (await createTrainingParts(config, shortParts)).engine.profile
    const perRollout = step.conversations / step.rollouts
    expect(step.rollouts).toBe(6)
    // The documents have a few chunks each, and an answer.
    expect(perRollout).toBeGreaterThan(2)
    expect(step.sampledTokens).toBe(step.rollouts * ((perRollout - 1) * budget.memory + budget.output))
    expect(step.trainedTokens).toBe(step.promptTokens + step.sampledTokens)
    // One pass of the reference, and one of the policy before the second of two updates.
    expect(step.scoredTokens).toBe(1.5 * step.trainedTokens)
    expect(step.longestConversation).toBeLessThanOrEqual(budget.window)
    expect(steps).toBe(4)
    expect(flopsPerStep).toBeGreaterThan(6 * step.trainedTokens)
  })

  it('rejects a metric that the task lacks', async () => {
    const config = configOf('dry-metric', 'reward: { metric: strickt }')
    await expect(dryRun(config, shortParts)).rejects.toMatchObject({ code: 'train/unknown-metric' })
  })

  it('passes over samples that cannot be read, as the run does, and is refused where none can', async () => {
    const withLong = (isLong: (index: number) => boolean): Task => ({
      ...shortAnswers,
      sample: async (request) => {
        const sample = await shortAnswers.sample(request)
        return isLong(request.index) ? { ...sample, question: 'a question of far too many words' } : sample
      },
    })
    const config = configOf('dry-long')
    const some = withLong((index) => index === 0)
    const all = withLong(() => true)
    expect(await dryRun(config, { ...shortParts, task: some, evaluationTask: some })).toEqual(
      await dryRun(config, shortParts),
    )
    for (const parts of [{ task: all }, { evaluationTask: all }]) {
      const { code, message, hint } = await dryRun(config, { ...shortParts, ...parts }).catch(
        (error) => error,
      )
      expect([code, message]).toEqual([
        'train/unreadable-samples',
        expect.stringContaining('The question has'),
      ])
      // `train` has no such options as the readers' commands have.
      expect(hint).toMatch(/budget\.question/)
      expect(hint).not.toContain('--')
    }
  })

  it('refuses what the run would refuse: rows shorter than the window, and rewards that give no numbers', async () => {
    const config = configOf('dry-refused')
    const rows = { ...config, engine: { ...config.engine, rowTokens: 64 } } as RlConfig
    await expect(dryRun(rows, shortParts)).rejects.toMatchObject({ code: 'train/row-tokens' })
    const steps = { reward: () => [1], alpha: 0.5 }
    await expect(dryRun(config, { ...shortParts, steps })).rejects.toMatchObject({
      code: 'train/step-rewards',
    })
    const reward = () => Number.NaN
    await expect(dryRun(config, { ...shortParts, reward })).rejects.toMatchObject({
      code: 'train/reward-not-finite',
    })
  })

  it('names lengths at which no document can be read, and refuses only a stage that has no other, as the run does', async () => {
    const task: Task = {
      ...shortAnswers,
      sample: async (request) => ({
        ...(await shortAnswers.sample(request)),
        ...(request.lengthTokens < 12 && { question: 'a question of far too many words' }),
      }),
    }
    const at = (...lengths: number[]) =>
      dryRun({ ...configOf('dry-lengths'), curriculum: [{ steps: 4, lengths }] }, { ...shortParts, task })
    const [{ notices, ...mixed }, { notices: none, ...alone }] = [await at(5, 12), await at(12)]
    expect(mixed).toEqual(alone)
    expect(none).toEqual([])
    expect(notices).toEqual([
      expect.stringMatching(/^No sample drawn at 5 tokens can be read: The question has .*\. Groups of this/),
    ])
    await expect(at(5, 6)).rejects.toMatchObject({
      code: 'train/unreadable-samples',
      message: expect.stringContaining('at lengths of 5, 6 tokens'),
    })
  })

  it('refuses an output folder that the run would refuse', async () => {
    const config = configOf('dry-folder')
    await mkdir(config.output)
    await writeFile(join(config.output, 'run.json'), '{}')
    await expect(dryRun(config, shortParts)).rejects.toMatchObject({ code: 'train/checkpoint-damaged' })
  })

  it('has the warnings of the run', async () => {
    const task = { name: 'jsonl', options: { path: folder.join('questions.jsonl') }, evaluationOptions: {} }
    await writeFile(
      task.options.path,
      JSON.stringify({ question: 'who', document: 'one two.', answers: ['one'] }),
    )
    const config = { ...configOf('dry-notices'), task }
    const parts = { workflow: shortParts.workflow }
    // Its documents keep their length.
    await expect(dryRun(config, parts)).rejects.toMatchObject({ code: 'train/own-length' })
    const evaluation = { ...config.evaluation, samples: 1, lengths: [12] }
    const dry = await dryRun({ ...config, evaluation }, parts)
    expect(dry.notices).toEqual([expect.stringContaining('memorization')])
  })

  it('sums over the stages, all draws and all evaluations', async () => {
    const config = configOf('dry-stages')
    const staged: RlConfig = {
      ...config,
      curriculum: [
        { steps: 3, lengths: [12] },
        { steps: 2, lengths: [48] },
      ],
    }
    // As long as requested, so stages differ.
    const task: Task = {
      ...shortAnswers,
      sample: async (request) => ({
        ...(await shortAnswers.sample(request)),
        document: createTextDocument('one two three. '.repeat(request.lengthTokens / 4), 'long'),
      }),
    }
    const dry = await dryRun(staged, { ...shortParts, task, evaluationTask: task })
    const [short, long] = dry.stages.map(({ step }) => step)
    expect(dry.stages.map(({ steps }) => steps)).toEqual([3, 2])
    expect(dry.step).toEqual(short)
    expect(long!.trainedTokens).toBeGreaterThan(2 * short!.trainedTokens)
    // Evaluations of five steps: before the first, after every second, after the last.
    expect([dry.draws, dry.evaluations]).toEqual([2, 4])
    // Four samples at each of two lengths. The shorter is the first stage's, where a step reads two groups of three.
    expect(dry.evaluation.sampledTokens).toBeGreaterThan((8 * short!.sampledTokens) / 6)
    expect(dry.total).toEqual({
      promptTokens: 2 * (3 * short!.promptTokens + 2 * long!.promptTokens) + 4 * dry.evaluation.promptTokens,
      sampledTokens:
        2 * (3 * short!.sampledTokens + 2 * long!.sampledTokens) + 4 * dry.evaluation.sampledTokens,
      trainedTokens: 3 * short!.trainedTokens + 2 * long!.trainedTokens,
      scoredTokens: 3 * short!.scoredTokens + 2 * long!.scoredTokens,
    })
  })

  it.each([
    // One pass of the reference, one over all before the first update, and one before the second of two.
    { updates: 2, klCoefficient: 0.01, rescore: undefined, passes: 2.5 },
    // The sampler's log-probabilities are used; the server still computes the current ones before any gradient.
    { updates: 2, klCoefficient: 0.01, rescore: false, passes: 2 },
    { updates: 1, klCoefficient: 0, rescore: undefined, passes: 1 },
    // Log-probabilities that were already requested are not requested again.
    { updates: 1, klCoefficient: 0, rescore: true, passes: 1 },
  ])('counts the passes that a server is asked for: %j', async ({ passes, updates, ...loss }) => {
    const config = configOf('dry-server')
    const engine = {
      kind: 'tinker',
      baseModel: 'a/model',
      server: 'skyrl-jax',
      tokenizer: folder.join('model'),
      conformance: 'none',
    } as const
    const remote = { ...config, engine, updates, loss: { ...config.loss, ...loss } }
    const { step, flops, evaluation } = await dryRun(remote, shortParts)
    expect(step.scoredTokens).toBe(passes * step.trainedTokens)
    expect(flops).toBeUndefined()
    // Evaluations learn nothing, so they need no log-probabilities.
    expect(evaluation).toEqual((await dryRun(config, shortParts)).evaluation)
  })
})
