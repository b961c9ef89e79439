import { readFile } from 'node:fs/promises'
import type { BenchRecord } from '../../record.ts'

/** The records in a file, in order; throws when there is none. */
export async function recordsIn(path: string): Promise<BenchRecord[]> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}
