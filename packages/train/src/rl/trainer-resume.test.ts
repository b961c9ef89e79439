/** What a training run resumes from, and what it refuses. */
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError, loadModelFolder } from '@memagent/engine'
import type { Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMetrics } from '../metrics/metrics-log.ts'
import { loadTrainingState, optimizerStepsOf } from '../policy/embedded-state.ts'
import type { Policy } from '../policy/policy.ts'
import {
  readerFolder,
  runTraining,
  shortAnswers,
  shortParts,
  shortTraining,
} from '../testing/short-training.ts'
import type { RlConfig } from './config.ts'
import type { RlEvent } from './events.ts'
import type { StepMetrics } from './step-metrics.ts'
import { createTrainingParts } from './training-parts.ts'
import type { RlOptions } from './training-run.ts'

const folder = readerFolder(beforeAll, afterAll)
let expected: Map<string, Float32Array>
const configOf = (name: string, steps = 3, change = ''): RlConfig =>
  shortTraining(folder.join(name), folder.join('model'), change, { steps })
const finalWeights = async ({ output }: RlConfig) => (await loadModelFolder(join(output, 'model'))).weights
const runFile = ({ output }: RlConfig) => join(output, 'run.json')
const stateOf = async (config: RlConfig) => JSON.parse(await readFile(runFile(config), 'utf8'))
const anotherRun = { code: 'train/checkpoint-of-another-run' }
/** The engine of a run whose policies are changed. */
async function engineWith(config: RlConfig, change: (policy: Policy) => Partial<Policy>) {
  const { engine } = await createTrainingParts(config, shortParts)
  const createPolicy = async (restoreFrom?: string) => {
    const policy = await engine.createPolicy(restoreFrom)
    return { ...policy, ...change(policy) }
  }
  return { ...engine, createPolicy }
}
const changeState = async (config: RlConfig, changes: object) =>
  writeFile(runFile(config), JSON.stringify({ ...(await stateOf(config)), ...changes }))

beforeAll(async () => {
  await runTraining(configOf('undisturbed'))
  expected = await finalWeights(configOf('undisturbed'))
})

describe('a run', () => {
  it('resumes from the same weights at another path, but not from other weights or with other threads', async () => {
    await runTraining(configOf('places', 2))
    const elsewhere = folder.join('the-same-model')
    await cp(folder.join('model'), elsewhere, { recursive: true })
    const started = (path: string, engine = {}) => {
      const config = configOf('places')
      return { ...config, engine: { ...config.engine, startFrom: path, ...engine } } as RlConfig
    }
    await expect(runTraining(started(elsewhere, { threads: 2 }))).rejects.toMatchObject(anotherRun)
    await rename(join(elsewhere, 'config.json'), join(elsewhere, 'old.json'))
    const settings = JSON.parse(await readFile(join(elsewhere, 'old.json'), 'utf8'))
    await writeFile(join(elsewhere, 'config.json'), JSON.stringify({ ...settings, rope_theta: 500 }))
    await expect(runTraining(started(elsewhere))).rejects.toMatchObject(anotherRun)
    await rename(join(elsewhere, 'old.json'), join(elsewhere, 'config.json'))
    await runTraining(started(elsewhere))
    expect(await finalWeights(configOf('places'))).toEqual(expected)
  })

  it('forgets the best weights when the evaluation changes, but not when only its frequency does', async () => {
    const config = configOf('evaluated', 2)
    const never: Task = { ...shortAnswers, score: () => ({ strict: 0 }) }
    await runTraining(config)
    await changeState(config, { best: { ...(await stateOf(config)).best, score: 2 } })
    const bests = async (changes: object, steps: number) => {
      const changed = configOf('evaluated', steps)
      const events = await runTraining(
        { ...changed, evaluation: { ...changed.evaluation, ...changes } },
        undefined,
        { evaluationTask: never },
      )
      return events.flatMap((event) => (event.type === 'evaluation-end' ? [event.isBest] : []))
    }
    expect(await bests({ every: 1 }, 3)).toEqual([false])
    expect(await bests({ samples: 3 }, 5)).toEqual([true, false])
  })

  it('has the weights of its best step when it was killed after a better one', async () => {
    const config = { ...configOf('better', 4), checkpointEvery: 3 }
    let earned = 0
    // Every evaluation is better than the one before.
    const rising: RlOptions = { reward: () => ++earned }
    const bestOf = async () => {
      const { best } = await stateOf(config)
      return [best.step, await optimizerStepsOf(join(config.output, best.state))]
    }
    const isBetter = (step: number) => (event: RlEvent) =>
      event.type === 'evaluation-end' && event.step === step && event.isBest
    await runTraining(config, isBetter(2), rising)
    expect(await bestOf()).toEqual([0, 0])
    await runTraining(config, isBetter(4), rising)
    expect(await bestOf()).toEqual([2, 4])
    const bestModel = async () => (await loadModelFolder(join(config.output, 'best'))).weights
    const later = await bestModel()
    await runTraining(configOf('better', 5), (event) => event.type === 'training-start', rising)
    const { best } = await stateOf(config)
    expect(await bestModel()).toEqual((await loadTrainingState(join(config.output, best.state))).weights)
    expect(await bestModel()).not.toEqual(later)
    await runTraining(config, undefined, rising)
    expect(await bestOf()).toEqual([4, 8])
  })

  it('reports that its files have changed, and forgets the best weights', async () => {
    const started = async (steps: number, content: string | undefined) => {
      const [first, ...rest] = await runTraining(configOf('edited', steps), undefined, { content })
      return {
        first,
        bests: rest.flatMap((event) => (event.type === 'evaluation-end' ? [event.isBest] : [])),
      }
    }
    const begun = { type: 'training-start' }
    // A run that did not record its files cannot tell.
    expect((await started(2, undefined)).first).toMatchObject(begun)
    expect((await started(3, 'a')).first).toMatchObject(begun)
    await changeState(configOf('edited'), { best: { ...(await stateOf(configOf('edited'))).best, score: 2 } })
    expect(await started(4, 'a')).toMatchObject({ first: begun, bests: [false] })
    const told = { type: 'notice', message: expect.stringContaining('the first 4 steps') }
    expect(await started(6, 'b')).toMatchObject({ first: told, bests: [true, false] })
    const log = await readMetrics(join(configOf('edited').output, 'metrics.jsonl'))
    expect(log).toContainEqual({ ...told, step: 4, time: expect.any(Number) })
    expect((await started(7, 'b')).first).toMatchObject(begun)
  })
})

describe('an abort', () => {
  /** Checkpoints only once, at the end; anything done twice shows in the log. */
  const rare = (name: string): RlConfig => ({ ...configOf(name), checkpointEvery: 100 })
  async function abortAndGoOn(name: string, changesOf: (abort: () => void) => Promise<RlOptions>) {
    const config = rare(name)
    const controller = new AbortController()
    const events: RlEvent[] = []
    const changes = await changesOf(() => controller.abort(new Error('stopped')))
    const stopped = runTraining(
      config,
      (event) => {
        events.push(event)
        return false
      },
      { ...changes, signal: controller.signal },
    )
    await expect(stopped).rejects.toThrow('stopped')
    const { step } = await stateOf(config)
    const rest = await runTraining(config)
    expect(rest[0]).toMatchObject({ type: 'training-start', step })
    expect(await finalWeights(config)).toEqual(expected)
    expect(await logged(config)).toEqual(await logged(configOf('undisturbed')))
    return { step, last: events.at(-1) }
  }
  const logged = async ({ output }: RlConfig) =>
    (await readMetrics(join(output, 'metrics.jsonl')))
      // Every start is logged: the program may have changed.
      .filter(({ type }) => type !== 'training-start')
      .map(({ type, step, results, metrics }) => ({
        type,
        step,
        results,
        reward: (metrics as StepMetrics | undefined)?.reward,
      }))
  const checkpoint = (step: number) => ({ step, last: { type: 'checkpoint-end', step } })

  it('among the rollouts of a step saves the step before', async () => {
    let scored = 0
    const ended = await abortAndGoOn('rollouts', async (abort) => ({
      task: {
        ...shortAnswers,
        // Two groups of three, drawn twice at most: in the second or third step.
        score: (...args) => {
          if (++scored === 13) abort()
          return shortAnswers.score(...args)
        },
      },
    }))
    expect([1, 2]).toContain(ended.step)
    expect(ended.last).toEqual(checkpoint(ended.step).last)
  })

  it('in an evaluation saves its step, and the evaluation runs after the resume', async () => {
    let scored = 0
    const ended = await abortAndGoOn('evaluation', async (abort) => ({
      evaluationTask: {
        ...shortAnswers,
        // Two lengths of four samples, before training and then after step 2.
        score: (...args) => {
          if (++scored === 11) abort()
          return shortAnswers.score(...args)
        },
      },
    }))
    expect(ended).toEqual(checkpoint(2))
  })

  it.each([
    // Each step has two updates. Before the first of step 2, the weights are those of step 1.
    { call: 3, saved: 1 },
    // After it, they belong to no step until the second is done, too.
    { call: 4, saved: 2 },
  ])('in gradient pass $call saves step $saved', async ({ call, saved }) => {
    let calls = 0
    const ended = await abortAndGoOn(`gradient-${call}`, async (abort) => ({
      engine: await engineWith(rare(`gradient-${call}`), (policy) => ({
        forwardBackward: (...args) => {
          if (++calls === call) abort()
          return policy.forwardBackward(...args)
        },
      })),
    }))
    expect(ended.step).toBe(saved)
  })
})

it('loses no step to an error, and goes on from it', async () => {
  const config: RlConfig = { ...configOf('failing', 6), checkpointEvery: 100 }
  let drawn = 0
  const task: Task = {
    ...shortAnswers,
    sample: async (request) => {
      // Two steps draw at most eight, and two are made ahead.
      if (++drawn > 10) throw new Error('the disk is gone')
      return shortAnswers.sample(request)
    },
  }
  await expect(runTraining(config, undefined, { task })).rejects.toThrow('the disk is gone')
  const { step } = await stateOf(config)
  expect(step).toBeGreaterThan(0)
  expect((await runTraining(config))[0]).toMatchObject({ type: 'training-start', step })
})

it('keeps its last checkpoint when the training diverges', async () => {
  const config: RlConfig = { ...configOf('diverging'), checkpointEvery: 100 }
  let passes = 0
  const engine = await engineWith(config, (policy) => ({
    forwardBackward: (...args) => {
      if (++passes > 2) throw new EngineError({ code: 'engine/diverged', message: 'The training diverged.' })
      return policy.forwardBackward(...args)
    },
  }))
  await expect(runTraining(config, undefined, { engine })).rejects.toMatchObject({ code: 'engine/diverged' })
  expect((await stateOf(config)).step).toBe(0)
})

it('reports the abort even if the last step cannot be saved', async () => {
  const config: RlConfig = { ...configOf('unsaved'), checkpointEvery: 100 }
  const controller = new AbortController()
  let saves = 0
  const engine = await engineWith(config, (policy) => ({
    saveState: async (...args) => {
      if (!controller.signal.aborted) return policy.saveState(...args)
      saves++
      throw new Error('the server is away')
    },
  }))
  const stopped = runTraining(
    config,
    (event) => {
      if (event.type === 'step-end' && event.step === 1) controller.abort(new Error('stopped'))
      return false
    },
    { engine, signal: controller.signal },
  )
  await expect(stopped).rejects.toThrow('stopped')
  expect(saves).toBe(1)
  expect((await stateOf(config)).step).toBe(0)
})

describe('an output folder', () => {
  it('can be copied: each copy resumes from its own state', async () => {
    const [first, copy] = [configOf('first'), configOf('copy')]
    await runTraining(configOf('first', 2))
    await cp(first.output, copy.output, { recursive: true })
    await runTraining(configOf('first', 5))
    const events = await runTraining(copy)
    expect(events[0]).toMatchObject({ type: 'training-start', step: 2 })
    expect(await finalWeights(copy)).toEqual(expected)
  })

  it('can be moved', async () => {
    await runTraining(configOf('before', 2))
    const moved = configOf('moved')
    await rename(configOf('before').output, moved.output)
    await runTraining(moved)
    expect(await finalWeights(moved)).toEqual(expected)
  })

  it.each(['null', '[]', '{}', '{"step": 1'])('is refused when its run.json holds %s', async (content) => {
    const config = configOf(`damaged-${content.length}`)
    await mkdir(config.output, { recursive: true })
    await writeFile(runFile(config), content)
    await expect(runTraining(config)).rejects.toMatchObject({ code: 'train/checkpoint-damaged' })
  })

  it('is refused when its state is not that of its step', async () => {
    await runTraining(configOf('mixed', 2))
    const config = configOf('mixed')
    await changeState(config, { step: 1, optimizerSteps: 2 })
    await expect(runTraining(config)).rejects.toMatchObject({
      code: 'train/state-of-another-step',
      message: expect.stringMatching(/step 1, after 2 optimizer steps, but its state state-\w has taken 4/),
    })
  })
})

it('a run does not write over a supervised training', async () => {
  const config = configOf('supervised')
  await mkdir(join(config.output, 'checkpoint'), { recursive: true })
  await writeFile(join(config.output, 'checkpoint', 'state.json'), '{}')
  await expect(runTraining(config)).rejects.toMatchObject({ code: 'train/other-training' })
})
