/** The stored steps of a run. */
import type { LogEntry, ReadingEvent } from '@memagent/core'
import type { Queries } from './database.ts'
import { StoreError } from './errors.ts'
import { damagedRow, parsed } from './parsed.ts'
import { type LastMemories, type StoredEvent, withRepeats } from './repeated-text.ts'

/** As it appears in a row. A text cannot contain it, since its quotes are escaped. */
const chunkEnd = '"type":"chunk-end"'

/** Rows loaded at a time: a reading of millions of tokens has thousands of steps. */
const page = 500

export interface StepEvents {
  /** Position in the log: grows from step to step, and never changes once it was seen. */
  readonly sequence: number
  /** With several questions, each event has the number of its question, from 0. */
  readonly events: readonly (ReadingEvent & { readonly question?: number | undefined })[]
}

/** Events step by step. @param lastMemories updated with the memories of the steps */
export async function* readSteps(
  queries: Queries,
  id: string,
  lastMemories: LastMemories = new Map(),
): AsyncGenerator<StepEvents> {
  const log = new StepLog(queries, id, lastMemories)
  for (;;) {
    const steps = await log.next(page)
    yield* steps
    if (steps.length < page) return
  }
}

/** The steps of a run, page by page, even while they are being written. */
export class StepLog {
  readonly #queries: Queries
  readonly #id: string
  readonly #lastMemories: LastMemories
  #after = -1

  /** @param lastMemories updated with the memories of the steps */
  constructor(queries: Queries, id: string, lastMemories: LastMemories = new Map()) {
    this.#queries = queries
    this.#id = id
    this.#lastMemories = lastMemories
  }

  async skipTo(sequence: number): Promise<number> {
    const [row] = await this.#queries.all(
      `SELECT sum(length(events) - length(replace(events, '${chunkEnd}', ''))) AS characters FROM steps
        WHERE run = ? AND sequence < ?`,
      this.#id,
      sequence,
    )
    this.#after = sequence - 1
    return Number(row?.characters ?? 0) / chunkEnd.length
  }

  /** The next stored steps, at most `most`; empty if there are none yet. @throws StoreError, also if the run is erased meanwhile */
  async next(most: number): Promise<readonly StepEvents[]> {
    const id = this.#id
    const rows = await this.#queries.all(
      `SELECT sequence, events FROM steps WHERE run = ? AND sequence > ?
        AND sequence <= (SELECT sequence FROM runs WHERE id = ?) ORDER BY sequence LIMIT ${most}`,
      id,
      this.#after,
      id,
    )
    // Without its steps, an erased run would pass for one that ends here.
    if (rows.length < most) await this.#requireRun()
    return rows.map((row) => {
      const stored = parsed<readonly StoredEvent[]>(row.events, `of run ${id}`)
      if (!Array.isArray(stored)) throw damagedRow(`of run ${id}`)
      this.#after = Number(row.sequence)
      return { sequence: this.#after, events: withRepeats(stored, this.#lastMemories) }
    })
  }

  async #requireRun(): Promise<void> {
    const found = await this.#queries.all('SELECT id FROM runs WHERE id = ?', this.#id)
    if (found.length === 0) throw erased(this.#id)
  }
}

const erased = (id: string) =>
  new StoreError({
    code: 'store/no-run',
    message: `The run ${id} was erased while it was looked through.`,
    hint: 'Those that there are: memagent runs',
    details: { id },
  })

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
