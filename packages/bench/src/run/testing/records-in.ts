import { readFile } from 'node:fs/promises'
import type { BenchRecord } from '../../record.ts'
import type { BenchPlan } from '../plan.ts'
import { type RunOptions, runBenchmark } from '../run-benchmark.ts'

/** The records in a file, in order; throws when there is none. */
export async function recordsIn(path: string): Promise<BenchRecord[]> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** The records that a run reports. */
export async function recordsOf(plan: BenchPlan, options: RunOptions = {}): Promise<BenchRecord[]> {
  const records: BenchRecord[] = []
  await runBenchmark(plan, { ...options, onRecord: (record) => records.push(record) })
  return records
}
