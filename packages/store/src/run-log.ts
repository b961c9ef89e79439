/** What was kept of a run's steps. */
import type { LogEntry, ReadingEvent } from '@memagent/core'
import type { Queries } from './database.ts'
import { damagedRow, parsed } from './parsed.ts'
import { type LastMemories, type StoredEvent, withRepeats } from './repeated-text.ts'

/** Rows at a time: a reading of millions of tokens has thousands of steps. */
const page = 500

export interface StepEvents {
  readonly sequence: number
  readonly events: readonly ReadingEvent[]
}

/** Events step by step. @param lastMemories the steps' memories are added */
export async function* readSteps(
  queries: Queries,
  id: string,
  lastMemories: LastMemories = new Map(),
): AsyncGenerator<StepEvents> {
  for (let after = -1; ; ) {
    const rows = await queries.all(
      `SELECT sequence, events FROM steps WHERE run = ? AND sequence > ?
        AND sequence <= (SELECT sequence FROM runs WHERE id = ?) ORDER BY sequence LIMIT ${page}`,
      id,
      after,
      id,
    )
    for (const row of rows) {
      after = Number(row.sequence)
      const stored = parsed<readonly StoredEvent[]>(row.events, `of run ${id}`)
      if (!Array.isArray(stored)) throw damagedRow(`of run ${id}`)
      yield { sequence: after, events: withRepeats(stored, lastMemories) }
    }
    if (rows.length < page) return
  }
}

/** All of the log that the run still needs, with the last memory of each slot. */
export async function readLog(
  queries: Queries,
  id: string,
): Promise<{ readonly entries: LogEntry[]; readonly lastMemories: LastMemories }> {
  const lastMemories: LastMemories = new Map()
  const entries: LogEntry[] = []
  const other = async (sql: string) => {
    for (const row of await queries.all(sql, id)) entries.push(parsed<LogEntry>(row.entry, `of run ${id}`))
  }
  await other('SELECT entry FROM memories WHERE run = ? ORDER BY number')
  for await (const { sequence, events } of readSteps(queries, id, lastMemories)) {
    entries.push({ type: 'events', sequence, events })
  }
  await other('SELECT entry FROM conversations WHERE run = ? ORDER BY sequence, place')
  return { entries, lastMemories }
}
