import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadModelFolder } from '@memagent/engine'
import type { Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMetrics } from '../metrics/metrics-log.ts'
import {
  readerFolder,
  runTraining as run,
  shortParts,
  shortTraining,
  shortAnswers as task,
  unboxed,
} from '../testing/short-training.ts'
import type { RlConfig } from './config.ts'
import type { TrainingProgress } from './progress.ts'
import { metricReward } from './rewards.ts'
import { drawRolloutBatch } from './rollout-batch.ts'
import { describeRollouts, type StepMetrics } from './step-metrics.ts'
import { createTrainingParts } from './training-parts.ts'

const folder = readerFolder(beforeAll, afterAll)

const configOf = (name: string, change?: string, options?: Parameters<typeof shortTraining>[3]): RlConfig =>
  shortTraining(folder.join(name), folder.join('model'), change, options)
const finalWeights = async (config: RlConfig) => (await loadModelFolder(join(config.output, 'model'))).weights

describe('trainRl', () => {
  it('trains, evaluates, keeps the best, and logs every step once', async () => {
    const config = configOf('whole')
    const events = await run(config)
    expect(events.map(({ type }) => type)).toEqual([
      'training-start',
      'evaluation-end',
      'step-end',
      'checkpoint-end',
      'step-end',
      'evaluation-end',
      'checkpoint-end',
      'step-end',
      'checkpoint-end',
      'step-end',
      'evaluation-end',
      'checkpoint-end',
      'training-end',
    ])
    const steps = (await readMetrics(join(config.output, 'metrics.jsonl'))).filter(
      ({ type }) => type === 'step-end',
    )
    expect(steps.map(({ step }) => step)).toEqual([1, 2, 3, 4])
    for (const event of events) {
      if (event.type !== 'step-end') continue
      const { metrics } = event
      expect(metrics.groupsDrawn).toBeGreaterThanOrEqual(2)
      // Sampler and trainer agree on what was sampled.
      expect(metrics.samplerMismatch).toBeLessThan(1e-4)
      expect(Number.isFinite(metrics.gradientNorm)).toBe(true)
      expect(metrics.tokens).toBe(metrics.sampledTokens)
      expect(metrics.conversationsPerRollout).toBeGreaterThan(1)
    }
    await loadModelFolder(join(config.output, 'best'))
  })

  it.each([1, 2])(
    'ends with the same weights whatever event it was killed after, %i threads',
    // Seven trainings.
    { timeout: 240_000 },
    async (threads) => {
      const reference = configOf(`reference-${threads}`, '', { threads })
      await run(reference)
      const expected = await finalWeights(reference)
      for (const [i, type] of (['step-end', 'evaluation-end', 'checkpoint-end'] as const).entries()) {
        const config = configOf(`killed-${threads}-${i}`, '', { threads })
        let seen = 0
        await run(config, (event) => event.type === type && ++seen === 2)
        await run(config)
        const weights = await finalWeights(config)
        for (const [name, values] of weights) {
          expect(
            Buffer.compare(Buffer.from(values.buffer), Buffer.from(expected.get(name)!.buffer)),
            name,
          ).toBe(0)
        }
        const log = await readFile(join(config.output, 'metrics.jsonl'), 'utf8')
        const steps = log.split('\n').filter((line) => line.includes('"step-end"'))
        expect(steps.map((line) => JSON.parse(line).step)).toEqual([1, 2, 3, 4])
      }
    },
  )

  it('reports progress within a step', async () => {
    const config = configOf('progress', '', { steps: 1 })
    const told: TrainingProgress[] = []
    await run(config, undefined, { onProgress: (progress) => told.push(progress) })
    const of = (phase: string) => told.filter((progress) => progress.phase === phase)
    expect([...new Set(told.map(({ phase }) => phase))]).toEqual([
      'evaluation',
      'rollouts',
      'scoring',
      'learning',
    ])
    // 4 samples at each of 2 lengths; the later evaluation belongs to the last step.
    expect(new Set(of('evaluation').map(({ step, total }) => `${step}: ${total}`))).toEqual(
      new Set(['0: 8', '1: 8']),
    )
    const rollouts = of('rollouts')
    // 2 groups of 3, and the same again if they are replaced. Every chunk of each is reported.
    expect(rollouts[0]).toMatchObject({ step: 1, steps: 1, done: 0, total: 6 })
    expect(rollouts[0]!.share).toBeGreaterThan(0)
    expect(rollouts[0]!.share).toBeLessThan(1)
    expect(rollouts.at(-1)!.done).toBe(rollouts.at(-1)!.total)
    for (const phase of ['evaluation', 'rollouts', 'learning']) expect(of(phase).at(-1)!.share).toBe(1)
    const learned = of('learning').map(({ done }) => done)
    expect(learned).toEqual(learned.toSorted((a, b) => a - b))
    expect(learned[0]).toBe(0)
    expect(learned.at(-1)).toBe(of('learning')[0]!.total)
    expect(of('scoring')[0]!.total).toBe(learned.at(-1))
  })

  it('learns from rollouts at a temperature other than 1, with log-probabilities at that temperature', async () => {
    const config = configOf('cooler', '', { steps: 1 })
    const events = await run({ ...config, rollouts: { ...config.rollouts, temperature: 0.6 } })
    const [step] = events.flatMap((event) => (event.type === 'step-end' ? [event.metrics] : []))
    expect(step!.optimizerSteps).toBeGreaterThan(0)
    expect(step!.samplerMismatch).toBeLessThan(1e-4)
  })

  it('leaves the weights unchanged in a step without signal, and reports it', async () => {
    const config = configOf('no-signal', '', { steps: 2 })
    // No answer is better than another; the KL term and weight decay would still move the weights.
    const events = await run(config, undefined, {
      task: { ...task, score: () => ({ strict: 0 }) },
      evaluationTask: { ...task, score: () => ({ strict: 0 }) },
    })
    const steps = events.flatMap((event) => (event.type === 'step-end' ? [event.metrics] : []))
    expect(steps).toHaveLength(2)
    for (const metrics of steps) {
      expect(metrics).toMatchObject({ optimizerSteps: 0, groupsWithSignal: 0, gradientNorm: undefined })
      // What was not measured is not reported as 0.
      expect(metrics.kl).toBeUndefined()
    }
    const logged = (await readMetrics(join(config.output, 'metrics.jsonl'))).filter(
      ({ type }) => type === 'step-end',
    )
    expect(logged.map(({ metrics }) => (metrics as StepMetrics).optimizerSteps)).toEqual([0, 0])
    const saved = JSON.parse(await readFile(join(config.output, 'run.json'), 'utf8'))
    expect(saved).toMatchObject({ step: 2, optimizerSteps: 0 })
    expect(await finalWeights(config)).toEqual((await loadModelFolder(folder.join('model'))).weights)
  })

  it('can be extended at a constant learning rate, but not if the rate decays towards the end', async () => {
    const rates = async (config: RlConfig) =>
      (await readMetrics(join(config.output, 'metrics.jsonl'))).flatMap((event) =>
        event.type === 'step-end' ? [Number((event.metrics as StepMetrics).learningRate.toFixed(6))] : [],
      )
    const constant = (steps: number) => configOf('constant', '', { steps })
    await run(constant(2))
    await run(constant(3))
    expect(await rates(constant(3))).toEqual([0.005, 0.01, 0.01])
    const notice = { type: 'notice', message: expect.stringMatching(/has done 3 steps, and .* only 2 now/) }
    expect(await run(constant(2))).toContainEqual(notice)
    const falling = (steps: number) =>
      configOf('falling', '', { steps, optimizer: ', finalLearningRate: 0.002' })
    await run(falling(4))
    // 0.002 + 0.004 x (1 + cos(pi x {0, 1/2})).
    expect(await rates(falling(4))).toEqual([0.005, 0.01, 0.01, 0.006])
    await expect(run(falling(5))).rejects.toMatchObject({
      code: 'train/checkpoint-of-another-run',
      message: expect.stringContaining('(what differs: the number of steps)'),
    })
  })

  it('refuses to resume with another configuration', async () => {
    await expect(run(configOf('whole', 'seed: 2'))).rejects.toMatchObject({
      code: 'train/checkpoint-of-another-run',
      message: expect.stringContaining('(what differs: seed)'),
    })
  })
})

describe('drawRolloutBatch', () => {
  it('replaces groups without signal, and reports how many it drew', async () => {
    const config = configOf('draws')
    const { engine } = await createTrainingParts(config, shortParts)
    const policy = await engine.createPolicy()
    const snapshot = await policy.snapshot()
    // Every other question has no signal.
    const halfIdle: Task = {
      ...task,
      score: (sample, answer) =>
        Number(sample.id.split('/')[1]) % 2 === 0 ? { strict: 1 } : task.score(sample, answer),
    }
    const options = {
      workflow: unboxed,
      profile: engine.profile,
      tokens: engine.tokens,
      order: 'lockstep' as const,
      policy: snapshot,
      task: halfIdle,
      // A seed with which the tiny model gives no empty reply, which would earn nothing.
      seed: 5,
      lengths: [12],
      groups: 3,
      groupSize: 4,
      sampling: { temperature: 1, topP: 1 },
      draws: 4,
      reward: metricReward('strict'),
      drawnBefore: 0,
    }
    const batch = await drawRolloutBatch(options)
    expect(batch.groups).toHaveLength(3)
    expect(batch.drawn).toBeGreaterThan(3)
    for (const { index, rewards } of batch.groups.slice(0, batch.withSignal)) {
      expect(index % 2).toBe(1)
      expect(new Set(rewards).size).toBeGreaterThan(1)
    }
    // Everything read counts, also the replaced groups, whose reward was 1 throughout.
    const told = describeRollouts(batch)
    const replaced = batch.drawn - batch.groups.length
    expect(told.rewardDrawn * batch.drawn).toBeCloseTo(told.reward * batch.groups.length + replaced, 9)
    expect(told.sampledTokensDrawn).toBeGreaterThan(told.sampledTokens)
    expect(told.promptTokensDrawn).toBeGreaterThan(told.promptTokens)
    // With step rewards, equal final rewards are no reason to draw again.
    const all = await drawRolloutBatch({ ...options, isInstructive: () => true })
    expect([all.drawn, all.withSignal]).toEqual([3, 3])
    const { reward, rewardDrawn, sampledTokens, sampledTokensDrawn } = describeRollouts(all)
    expect([rewardDrawn, sampledTokensDrawn]).toEqual([reward, sampledTokens])
    await snapshot.close()
    await policy.close()
  })
})
