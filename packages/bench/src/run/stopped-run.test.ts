/** A run that is stopped and started again: nothing finished is lost, and nothing is asked twice. */
import type { Script } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BenchRecord } from '../record.ts'
import { runBenchmark } from './run-benchmark.ts'
import { madePlan, rightAnswers, wide } from './testing/made-plan.ts'
import { recordsIn } from './testing/records-in.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let output: string
beforeEach(() => {
  output = folder.join('record.jsonl')
})

describe('a run that was stopped', () => {
  it('records nothing of what was under way, and goes on with the rest', async () => {
    const controller = new AbortController()
    let calls = 0
    const script: Script = async (call) => {
      if (++calls === 10) controller.abort(new Error('stopped'))
      await new Promise((resolve) => setTimeout(resolve, 1))
      return (rightAnswers as (c: typeof call) => string)(call)
    }
    const plan = wide({ output, script, concurrency: 4 })
    await expect(runBenchmark(plan, { signal: controller.signal })).rejects.toThrow('stopped')
    const before = await recordsIn(output)
    expect(before.length).toBeGreaterThan(3)
    expect(before.length).toBeLessThan(10)
    expect(before.filter(({ error }) => error)).toEqual([])
    expect(await runBenchmark(wide({ output }))).toMatchObject({
      asked: 24 - before.length,
      samples: 24,
    })
    const keys = (await recordsIn(output)).map(({ key }) => key)
    expect(new Set(keys).size).toBe(24)
    expect(keys).toHaveLength(24)
  })

  it('does not begin when it is stopped before', async () => {
    await expect(runBenchmark(madePlan({ output }), { signal: AbortSignal.abort('no') })).rejects.toBe('no')
    await expect(recordsIn(output)).rejects.toThrow(/ENOENT/)
  })

  it('ends with the record of one that was not, wherever it was stopped', async () => {
    const told = ({ finishedAt, seconds, usage, ...rest }: BenchRecord) => ({ ...rest, calls: usage.calls })
    const byKey = (lines: BenchRecord[]) => lines.map(told).toSorted((a, b) => a.key.localeCompare(b.key))
    await runBenchmark(wide({ output }))
    const expected = byKey(await recordsIn(output))
    let number = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(8), { maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        async (stops, concurrency) => {
          const path = folder.join(`stopped-${++number}.jsonl`)
          for (const stop of stops) {
            const controller = new AbortController()
            let recorded = 0
            const run = runBenchmark(wide({ output: path, concurrency }), {
              signal: controller.signal,
              onRecord: () => {
                if (recorded++ === stop) controller.abort(new Error('stopped'))
              },
            })
            await run.catch((error) => expect(error.message).toBe('stopped'))
          }
          await runBenchmark(wide({ output: path, concurrency }))
          expect(byKey(await recordsIn(path))).toEqual(expected)
        },
      ),
      { numRuns: 15 },
    )
  })
})
