import { paperProfile } from '@memagent/core'
import { expect, it } from 'vitest'
import { makeRecord } from '../testing/made-records.ts'
import type { RunningJob } from './answer-job.ts'
import type { Job } from './plan.ts'
import { ProgressMeter } from './progress.ts'

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
const running = (promptTokens: number) => ({ usage: usage(promptTokens) }) as unknown as RunningJob

it('measures what is under way by what finished samples took of their estimates', () => {
  const [finished, open] = [job('a'), job('b')]
  const { trace: _, ...sample } = makeRecord({ key: 'a', usage: usage(500) })
  const meter = new ProgressMeter([finished, open], [open], paperProfile, new Map([['a', sample]]))
  meter.start(open, running(250))
  // Half of the estimate is all that a sample takes, so that half of this one is done.
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
