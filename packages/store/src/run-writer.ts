/** A run being written: the checkpoint store of its reading, under a lease. */
import type { Checkpoint, LogEntry, RunIdentity } from '@memagent/core'
import { failureToKeep, resultToKeep } from './check-given.ts'
import { isForgettable } from './create-run.ts'
import type { Database, Queries, Value } from './database.ts'
import { giveBack, type Lease, leaseLost } from './lease.ts'
import { storedCheckpoint } from './parsed.ts'
import { type LastMemories, withoutRepeats } from './repeated-text.ts'
import { readLog } from './run-log.ts'
import { RunReplies } from './run-replies.ts'
import type { RunFailure, RunResult, RunSummary, RunWriter } from './run-store.ts'

/**
 * Finds or creates the run, and takes its lease.
 * @param hold told the lease as soon as it is taken, so that it is released whatever fails after that
 */
export type AcquireRun = (identity: RunIdentity, hold: (lease: Lease) => void) => Promise<void>

export class SqlRunWriter implements RunWriter {
  readonly isWrittenFirst = true
  readonly keepsEvents = true
  readonly replies: RunReplies
  readonly #database: Database
  readonly #leaseMs: number
  readonly #acquire: AcquireRun
  #id: string | undefined
  #lease: Lease | undefined
  /** Settles when no `load` is under way. Never rejects. */
  #loaded: Promise<unknown> = Promise.resolve()
  #renewal: NodeJS.Timeout | undefined
  #lastMemories: LastMemories = new Map()

  constructor(database: Database, leaseMs: number, acquire: AcquireRun) {
    this.#database = database
    this.replies = new RunReplies(database)
    this.#leaseMs = leaseMs
    this.#acquire = acquire
  }

  get id(): string | undefined {
    return this.#id
  }

  get name(): string | undefined {
    return this.id && `of run ${this.id}`
  }

  load(identity: RunIdentity): Promise<Checkpoint | undefined> {
    const loading = this.#load(identity)
    this.#loaded = loading.catch(() => undefined)
    return loading
  }

  async #load(identity: RunIdentity): Promise<Checkpoint | undefined> {
    if (!this.#lease) {
      await this.#acquire(identity, (lease) => {
        this.#lease = lease
      })
    }
    const { id } = this.#held()
    this.#id = id
    // Steps beyond the checkpoint were never saved, and will be written again.
    await this.#write([], async (queries) => {
      await queries.run(
        'DELETE FROM steps WHERE run = ? AND sequence > (SELECT sequence FROM runs WHERE id = ?)',
        id,
        id,
      )
    })
    this.#renewal ??= setInterval(() => void this.#renew(), this.#leaseMs / 4).unref()
    const [row] = await this.#database.all('SELECT checkpoint FROM runs WHERE id = ?', id)
    if (row?.checkpoint === undefined || row.checkpoint === null) return undefined
    return storedCheckpoint(row.checkpoint, this.#database.name, id)
  }

  async save(checkpoint: Checkpoint): Promise<void> {
    const { steps, sequence } = checkpoint
    const set = [
      ['checkpoint', JSON.stringify(checkpoint)],
      ['steps', steps],
      ['sequence', sequence],
      ['failure', null],
    ] as const
    const { pending } = this.replies
    await this.#write(set, async (queries, id) => {
      // Earlier conversations are already part of the memories.
      await queries.run('DELETE FROM conversations WHERE run = ? AND sequence < ?', id, sequence)
      await this.replies.write(queries, id, pending)
    })
    this.replies.forget(pending)
  }

  async append(entries: readonly LogEntry[]): Promise<void> {
    let last = this.#lastMemories
    await this.#write([], async (queries, id) => {
      // A transaction may be repeated.
      last = new Map(this.#lastMemories)
      for (const entry of entries) await insertEntry(queries, id, entry, last)
    })
    this.#lastMemories = last
  }

  async readLog(): Promise<LogEntry[]> {
    const { entries, lastMemories } = await readLog(this.#database, this.#held().id)
    this.#lastMemories = lastMemories
    return entries
  }

  async finish(result: RunResult): Promise<void> {
    if (!this.#lease) return
    const kept = resultToKeep(result)
    await this.#write([
      ['state', 'finished'],
      ['outcome', outcomeOf(result)],
      ['result', kept],
      ['failure', null],
    ])
    await this.stop()
  }

  async stop(failure?: RunFailure): Promise<void> {
    // A reading that was aborted does not wait for it, and it would take the run for good.
    await this.#loaded
    clearInterval(this.#renewal)
    await this.#writeReplies()
    const lease = this.#lease
    this.#lease = undefined
    if (lease) await giveBack(lease, () => this.#release(lease, failure))
  }

  /** If the lease was lost, the run belongs to another process, and its epoch does not match. */
  async #release({ id, epoch }: Lease, failure: RunFailure | undefined): Promise<void> {
    const forgotten = await this.#database.run(
      `DELETE FROM runs WHERE id = ? AND epoch = ? AND state = 'unfinished' AND checkpoint IS NULL AND ${isForgettable}`,
      id,
      epoch,
    )
    if (forgotten > 0) {
      this.#id = undefined
      return
    }
    await this.#database.run(
      `UPDATE runs SET owner = NULL, leased_until_ms = NULL, failure = coalesce(?, failure), updated_ms = ${this.#database.nowMs}
        WHERE id = ? AND epoch = ?`,
      failure === undefined ? null : failureToKeep(failure),
      id,
      epoch,
    )
  }

  /** Writes the replies of an unfinished step. Ignores errors: whatever causes them affects more than the replies. */
  async #writeReplies(): Promise<void> {
    const { pending } = this.replies
    if (!this.#lease || pending.replies.size + pending.hits.size === 0) return
    await this.#write([], (queries, id) => this.replies.write(queries, id, pending)).catch(() => undefined)
  }

  /** Checks that the lease is ours, sets columns of the run and does the work, in one transaction. @throws StoreError */
  async #write(
    set: readonly (readonly [column: string, value: Value])[],
    work: (queries: Queries, id: string) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const { id, epoch } = this.#held()
    const { nowMs } = this.#database
    const columns = set.map(([column]) => `, ${column} = ?`).join('')
    await this.#database.transaction(async (queries) => {
      const held = await queries.run(
        `UPDATE runs SET leased_until_ms = ${nowMs} + ?, updated_ms = ${nowMs}${columns} WHERE id = ? AND epoch = ?`,
        this.#leaseMs,
        ...set.map(([, value]) => value),
        id,
        epoch,
      )
      if (held === 0) throw leaseLost(id)
      await work(queries, id)
    })
  }

  /** Renews the lease between steps, which may take minutes. A failure here will recur at the next write. */
  async #renew(): Promise<void> {
    if (this.#lease) await this.#write([]).catch(() => undefined)
  }

  #held(): Lease {
    if (!this.#lease) throw new Error('The run is not open: load() comes first.')
    return this.#lease
  }
}

/** @param lastMemories of the run so far; updated with those of the entry */
export async function insertEntry(
  queries: Queries,
  id: string,
  entry: LogEntry,
  lastMemories: LastMemories,
): Promise<void> {
  if (entry.type === 'events') {
    await queries.run(
      'INSERT INTO steps (run, sequence, events) VALUES (?, ?, ?) ON CONFLICT (run, sequence) DO UPDATE SET events = excluded.events',
      id,
      entry.sequence,
      JSON.stringify(withoutRepeats(entry.events, lastMemories)),
    )
  } else if (entry.type === 'memory') {
    await queries.run(
      'INSERT INTO memories (run, number, entry) VALUES (?, ?, ?) ON CONFLICT (run, number) DO UPDATE SET entry = excluded.entry',
      id,
      entry.index,
      JSON.stringify(entry),
    )
  } else {
    await queries.run(
      'INSERT INTO conversations (run, place, sequence, entry) VALUES (?, ?, ?, ?) ON CONFLICT (run, place) DO UPDATE SET sequence = excluded.sequence, entry = excluded.entry',
      id,
      entry.key,
      entry.sequence,
      JSON.stringify(entry),
    )
  }
}

export const outcomeOf = (result: RunResult): NonNullable<RunSummary['outcome']> =>
  result.type === 'answer' ? result.answer.outcome : result.type
