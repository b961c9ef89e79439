import { createEstimateTokenizer, paperProfile } from '@memagent/core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Method } from '../method.ts'
import { makeRecord } from '../testing/made-records.ts'
import { type RunningJob, startJob } from './answer-job.ts'
import { listJobs } from './jobs.ts'
import type { Job } from './plan.ts'
import { ProgressMeter } from './progress.ts'
import { askOnce, madePlan } from './testing/made-plan.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const usage = (promptTokens: number) => ({ ...makeRecord({}).usage, promptTokens, completionTokens: 0 })
/** Estimated to take 1,000 tokens. */
const job = (key: string) =>
  ({
    key,
    lengthTokens: 1000,
    method: {
      method: {
        name: 'overwrite',
        estimate: () => ({ calls: 1, promptTokens: 900, completionTokens: 100 }),
      },
    },
  }) as unknown as Job
const running = (promptTokens: number) =>
  ({ usage: usage(promptTokens), earlierShare: 0 }) as unknown as RunningJob

it('measures what is under way by what finished samples took of their estimates', () => {
  const [finished, open] = [job('a'), job('b')]
  const { trace: _, ...sample } = makeRecord({ key: 'a', usage: usage(500) })
  const meter = new ProgressMeter([finished, open], [open], paperProfile, new Map([['a', sample]]))
  meter.start(open, running(250))
  // A sample takes only half of its estimate, so half of this one is done.
  expect(meter.snapshot()).toMatchObject({ share: 0.75, recorded: 1, underWay: 1, tokens: 250 })
  meter.end(open, makeRecord({ key: 'b', usage: usage(500) }))
  expect(meter.snapshot()).toMatchObject({ share: 1, recorded: 2, underWay: 0, secondsLeft: 0 })
})

it('relies first on the progress that a method reports', () => {
  const open = job('a')
  const meter = new ProgressMeter([open], [open], paperProfile, new Map())
  meter.start(open, { ...running(250), share: 0.5 })
  expect(meter.snapshot()).toMatchObject({ share: 0.5, tokens: 250 })
})

it('goes by the estimates alone until something is finished, and by nothing that failed', () => {
  const [failed, open] = [job('a'), job('b')]
  const { trace: _, ...sample } = makeRecord({
    key: 'a',
    usage: usage(1),
    error: { code: 'chat/down', message: 'no' },
  })
  const meter = new ProgressMeter([failed, open], [open], paperProfile, new Map([['a', sample]]))
  meter.start(open, running(250))
  expect(meter.snapshot()).toMatchObject({ share: 0.625, failed: 1 })
})

it('does not take what an earlier run did for the pace of this one', () => {
  const [resumed, open] = [job('a'), job('b')]
  const meter = new ProgressMeter([resumed, open], [resumed, open], paperProfile, new Map())
  const begun = { ...running(0), share: 0.8, earlierShare: 0.8 }
  meter.start(resumed, begun)
  vi.advanceTimersByTime(1000)
  expect(meter.snapshot()).toMatchObject({ share: 0.4, tokens: 0, secondsLeft: undefined })
  // A tenth of a sample took nine more seconds.
  meter.start(resumed, { ...begun, ...running(100), share: 0.9, earlierShare: 0.8 })
  vi.advanceTimersByTime(9000)
  expect(meter.snapshot().secondsLeft).toBeCloseTo(110)
  meter.start(resumed, { ...begun, ...running(200), share: 1, earlierShare: 0.8 })
  vi.advanceTimersByTime(10_000)
  meter.end(resumed, makeRecord({ key: 'a', usage: usage(1000) }))
  expect(meter.snapshot()).toMatchObject({ share: 0.5, tokens: 200 })
  expect(meter.snapshot().secondsLeft).toBeCloseTo(100)
})

it('knows what an earlier run did of a sample by what its reading reports before the first call', async () => {
  const method: Method = {
    ...askOnce(),
    async answer(request) {
      for (const share of [0.3, 0.6]) request.onShare?.(share)
      const result = await askOnce().answer(request)
      request.onShare?.(1)
      return result
    },
  }
  const plan = madePlan({ methods: [{ method }] })
  const [first] = listJobs(plan)
  const sample = await first!.task.task.sample({ index: 0, seed: 1, lengthTokens: 8, countTokens: () => 8 })
  const { model } = plan
  const running = startJob(
    first!,
    { sample, keepsLength: false },
    { model, profile: paperProfile, tokenizer: createEstimateTokenizer(), seed: 1, settings: {} },
    new AbortController().signal,
  )
  await running.record
  expect(running).toMatchObject({ share: 1, earlierShare: 0.6 })
})
