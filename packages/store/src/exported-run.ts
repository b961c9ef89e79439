/** A run as JSON lines: the run, then its log, then a last line that marks it as complete. */

import type { Database } from './database.ts'
import { readLog } from './run-log.ts'
import type { StoredRun } from './run-store.ts'

export const exportVersion = 1

/** The first line. */
export interface ExportedRun extends Omit<StoredRun, 'state'> {
  readonly type: 'memagent-run'
  readonly version: number
  readonly isFinished: boolean
}

/** @throws StoreError before the first line */
export async function* exportedRun(database: Database, run: StoredRun): AsyncGenerator<string> {
  const { state: _, ...fields } = run
  const first: ExportedRun = {
    type: 'memagent-run',
    version: exportVersion,
    isFinished: run.result !== undefined,
    ...fields,
  }
  const { entries } = await readLog(database, run.id)
  yield JSON.stringify(first)
  for (const entry of entries) yield JSON.stringify(entry)
  yield JSON.stringify({ type: 'end', id: run.id })
}
