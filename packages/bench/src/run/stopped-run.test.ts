/** A run that is stopped and started again: nothing finished is lost, and nothing is asked twice. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Script } from '@memagent/core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BenchRecord } from '../record.ts'
import { runBenchmark } from './run-benchmark.ts'
import { madePlan, rightAnswers, wide } from './testing/made-plan.ts'

let folder: string
let output: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memagent-stopped-run-'))
  output = join(folder, 'record.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const linesOf = async (path = output): Promise<BenchRecord[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

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
    const before = await linesOf()
    expect(before.length).toBeGreaterThan(3)
    expect(before.length).toBeLessThan(10)
    expect(before.filter(({ error }) => error)).toEqual([])
    expect(await runBenchmark(wide({ output }))).toMatchObject({
      asked: 24 - before.length,
      samples: 24,
    })
    const keys = (await linesOf()).map(({ key }) => key)
    expect(new Set(keys).size).toBe(24)
    expect(keys).toHaveLength(24)
  })

  it('does not begin when it is stopped before', async () => {
    await expect(runBenchmark(madePlan({ output }), { signal: AbortSignal.abort('no') })).rejects.toBe('no')
    await expect(linesOf()).rejects.toThrow(/ENOENT/)
  })

  it('ends with the record of one that was not, wherever it was stopped', async () => {
    const told = ({ finishedAt, seconds, usage, ...rest }: BenchRecord) => ({ ...rest, calls: usage.calls })
    const byKey = (lines: BenchRecord[]) => lines.map(told).toSorted((a, b) => a.key.localeCompare(b.key))
    await runBenchmark(wide({ output }))
    const expected = byKey(await linesOf())
    let number = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(8), { maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        async (stops, concurrency) => {
          const path = join(folder, `stopped-${++number}.jsonl`)
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
          expect(byKey(await linesOf(path))).toEqual(expected)
        },
      ),
      { numRuns: 15 },
    )
  })
})
