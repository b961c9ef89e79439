import { ChatError, OverlongPromptError, type Script } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBenchmark } from './run-benchmark.ts'
import { madePlan, numberTask, plannedTask, rightAnswers } from './testing/made-plan.ts'
import { recordsIn, recordsOf } from './testing/records-in.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let output: string
beforeEach(() => {
  output = folder.join('record.jsonl')
})

describe('a failed call', () => {
  const failing: Script = (call) =>
    call.messages[0]!.content.includes('number 1')
      ? new ChatError({ code: 'chat/server-fault', message: 'the server fell over' })
      : (rightAnswers as (c: typeof call) => string)(call)

  it('is a wrong answer, and recorded as failed', async () => {
    const summary = await runBenchmark(madePlan({ output, script: failing }))
    expect(summary).toMatchObject({
      planned: 3,
      samples: 3,
      asked: 3,
      failed: 1,
      errors: { 'chat/server-fault': 1 },
      groups: [
        {
          task: 'number',
          lengthTokens: 8,
          method: 'ask',
          answerable: true,
          metrics: { strict: 2 / 3, lenient: 2 / 3 },
        },
      ],
    })
    const failed = (await recordsIn(output)).find(({ index }) => index === 1)
    expect(failed).toMatchObject({
      answer: '',
      outcome: 'failed',
      metrics: { strict: 0, lenient: 0 },
      error: { code: 'chat/server-fault', message: 'the server fell over' },
      usage: { calls: 1 },
    })
  })

  it('has 0 in every metric even where "not in the text" would be right', async () => {
    const task = { ...numberTask(), score: (_: unknown, answer?: string) => ({ strict: answer ? 0 : 1 }) }
    const [unanswered] = await recordsOf(madePlan({ tasks: [plannedTask(task)], script: () => 'unknown' }))
    expect(unanswered!.metrics).toEqual({ strict: 1 })
    const [failed] = await recordsOf(madePlan({ tasks: [plannedTask(task)], script: () => new Error('no') }))
    expect(failed).toMatchObject({ metrics: { strict: 0 }, error: { code: 'unexpected', message: 'no' } })
  })

  it('is repeated only on request; then the last line counts', async () => {
    await runBenchmark(madePlan({ output, script: failing }))
    expect(await recordsOf(madePlan({ output }))).toEqual([])
    const again = await recordsOf(madePlan({ output }), { retryFailed: true })
    expect(again.map(({ key }) => key)).toEqual(['number/8/1/ask/scripted'])
    const lines = await recordsIn(output)
    expect(lines.map(({ key, error }) => [key.split('/')[2], error?.code]).at(-1)).toEqual(['1', undefined])
    expect(lines.map(({ key }) => key.split('/')[2]).toSorted()).toEqual(['0', '1', '1', '2'])
    expect(await runBenchmark(madePlan({ output }), { retryFailed: true })).toMatchObject({
      asked: 0,
      failed: 0,
      samples: 3,
      groups: [{ metrics: { strict: 1, lenient: 1 } }],
    })
  })

  it('ends the run when all of a method fail, with those failures recorded', async () => {
    const plan = madePlan({
      output,
      tasks: [plannedTask(numberTask(), { 8: 50 })],
      script: () => new ChatError({ code: 'chat/unreachable', message: 'nothing listens there' }),
      maxConsecutiveFailures: 5,
      concurrency: 1,
    })
    await expect(runBenchmark(plan)).rejects.toMatchObject({
      code: 'bench/failing',
      message: 'ask failed 5 times in a row, the last time with: nothing listens there',
      hint: expect.stringContaining('--retry-failed'),
    })
    expect(await recordsIn(output)).toHaveLength(5)
  })

  it('is a limit of the method if a document does not fit, and does not end the run', async () => {
    const plan = madePlan({
      tasks: [plannedTask(numberTask(), { 8: 10 })],
      script: () => new OverlongPromptError({ code: 'chat/overlong-prompt', message: 'too long' }),
      maxConsecutiveFailures: 2,
    })
    expect(await runBenchmark(plan)).toMatchObject({ samples: 10, failed: 10 })
  })
})
