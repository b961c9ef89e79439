/** The store of runs on any database. */
import {
  canonicalJson,
  differencesOf,
  type ReadingEvent,
  type ReadingStart,
  type RunIdentity,
} from '@memagent/core'
import { thisProcess } from '@memagent/core/node'
import { checkDescription, checkFilter, failureToKeep, toJson } from './check-given.ts'
import { createAskedRun, createRun } from './create-run.ts'
import type { Database, Row } from './database.ts'
import { StoreError } from './errors.ts'
import { exportedRun } from './exported-run.ts'
import { importRuns } from './import-runs.ts'
import { type KeyStore, SqlKeyStore } from './key-store.ts'
import { defaultLeaseMs, giveBack, holderOf, inUse, type Lease, leaseColumns } from './lease.ts'
import { parsed } from './parsed.ts'
import { erasingReplies, SqlReplyCache } from './reply-cache.ts'
import { listedOf, runColumns, runKey, runOf } from './rows.ts'
import { listRuns } from './run-list.ts'
import { readSteps, StepLog } from './run-log.ts'
import { memoryOf } from './run-memory.ts'
import { runOfQuestion } from './run-of-question.ts'
import type {
  Json,
  KeptSteps,
  RunDescription,
  RunFailure,
  RunFilter,
  RunSummary,
  RunWriter,
  StoredRun,
} from './run-store.ts'
import { SqlRunWriter } from './run-writer.ts'
import { laterReadings } from './session-rows.ts'
import type { SessionStore } from './session-store.ts'
import { SqlSessionStore } from './sql-session-store.ts'
import type { Store } from './store.ts'

export class SqlRunStore implements Store {
  readonly cache: SqlReplyCache
  readonly #database: Database
  readonly #leaseMs: number

  /** @param database whose tables exist */
  constructor(database: Database, leaseMs = defaultLeaseMs) {
    this.#database = database
    this.cache = new SqlReplyCache(database)
    this.#leaseMs = leaseMs
  }

  get name(): string {
    return this.#database.name
  }

  get sessions(): SessionStore {
    return new SqlSessionStore(this.#database, this.#leaseMs, this)
  }

  get keys(): KeyStore {
    return new SqlKeyStore(this.#database)
  }

  begin(
    description: RunDescription,
    onRun?: (id: string, isContinued: boolean) => void | Promise<void>,
  ): RunWriter {
    checkDescription(description)
    return new SqlRunWriter(this.#database, this.#leaseMs, async (identity, hold) => {
      for (;;) {
        const { weights, ...unknown } = identity
        // Older runs do not record the weights in their identity.
        const old = weights === undefined ? undefined : await this.#continue(unknown)
        const created = old ? undefined : await this.#create(description, identity)
        const lease = old ?? created ?? (await this.#continue(identity))
        // It was finished or removed in between.
        if (!lease) continue
        hold(lease)
        return onRun?.(lease.id, created === undefined)
      }
    })
  }

  async create(description: RunDescription): Promise<string> {
    checkDescription(description)
    return createAskedRun(this.#database, this.#database.nowMs, description)
  }

  async setFailure(id: string, failure: RunFailure | undefined): Promise<void> {
    const lease = await this.#freed(id)
    await giveBack(lease, () =>
      this.#database.run(
        `UPDATE runs SET failure = ?, updated_ms = ${this.#database.nowMs}, owner = NULL, leased_until_ms = NULL
          WHERE id = ? AND epoch = ?`,
        failure === undefined ? null : failureToKeep(failure),
        lease.id,
        lease.epoch,
      ),
    )
  }

  async setSettings(id: string, settings: Json): Promise<void> {
    await this.#database.transaction(async (queries) => {
      const [row] = await queries.all('SELECT description FROM runs WHERE id = ?', id)
      if (!row) throw noRun(id, this.name)
      const description = { ...parsed<RunDescription>(row.description, this.name), settings }
      const kept = toJson(description, 'The settings of a run')
      await queries.run('UPDATE runs SET description = ? WHERE id = ?', kept, id)
    })
  }

  async resume(id: string): Promise<RunWriter> {
    const run = await this.load(id)
    const isNew = Object.keys(run.identity).length === 0
    return new SqlRunWriter(this.#database, this.#leaseMs, async (identity, hold) => {
      if (!(run.checkpoint || isNew) && differencesOf(run.identity, identity).length > 0)
        throw otherRun(run.id)
      const lease = await this.#freed(run.id)
      hold(lease)
      if (isNew) {
        const identified = 'UPDATE runs SET identity = ? WHERE id = ? AND epoch = ?'
        await this.#database.run(identified, canonicalJson(identity), lease.id, lease.epoch)
      }
    })
  }

  async list(filter: RunFilter = {}): Promise<readonly RunSummary[]> {
    checkFilter(filter)
    return listRuns(this.#database, filter)
  }

  async load(id: string): Promise<StoredRun> {
    return runOf(await this.#row(id), this.name)
  }

  async summary(id: string): Promise<RunSummary> {
    return listedOf(await this.#row(id), this.name)
  }

  async *events(id: string): AsyncGenerator<ReadingEvent> {
    const { id: whole } = await this.#row(id)
    for await (const { events } of readSteps(this.#database, String(whole))) yield* events
  }

  steps(id: string): KeptSteps {
    return new StepLog(this.#database, id)
  }

  memory(id: string, question?: number): Promise<ReadingStart | undefined> {
    return memoryOf(
      this.#database,
      question === undefined ? this : runOfQuestion(this, question + 1),
      id,
      question,
    )
  }

  async remove(prefix: string): Promise<void> {
    const row = await this.#row(prefix)
    const id = String(row.id)
    const holder = await holderOf(row)
    if (holder) throw inUse(id, holder)
    const removed = await this.#database.transaction((queries) =>
      erasingReplies(queries, [id], () =>
        queries.run(
          `DELETE FROM runs WHERE id = ? AND epoch = ? AND NOT EXISTS (${laterReadings})`,
          id,
          Number(row.epoch),
          id,
        ),
      ),
    )
    if (removed === 0) return this.#keep(id)
    await this.#database.erase()
  }

  /** The run was not removed: a session needs it, or another process took or removed it meanwhile. */
  async #keep(id: string): Promise<void> {
    const [later] = await this.#database.all(laterReadings, id)
    if (later) throw ofSession(id, String(later.name))
    await this.remove(id)
  }

  async *exportRun(id: string): AsyncGenerator<string> {
    yield* exportedRun(this.#database, await this.load(id))
  }

  importRuns(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
    return importRuns(this.#database, lines)
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** @returns undefined if an unfinished run with this identity exists */
  async #create(description: RunDescription, identity: RunIdentity): Promise<Lease | undefined> {
    const run = { description, identity, owner: await thisProcess(), leaseMs: this.#leaseMs }
    return createRun(this.#database, this.#database.nowMs, run)
  }

  async #continue(identity: RunIdentity): Promise<Lease | undefined> {
    const [row] = await this.#database.all(
      `SELECT ${leaseColumns(this.#database.nowMs)} FROM runs WHERE run_key = ? AND state = 'unfinished'`,
      runKey(identity),
    )
    return row && this.#take(row)
  }

  /** Takes a run that nobody reads. @throws StoreError if another process holds it, or there is no such run */
  async #freed(id: string): Promise<Lease> {
    for (;;) {
      const columns = leaseColumns(this.#database.nowMs)
      const [row] = await this.#database.all(`SELECT ${columns} FROM runs WHERE id = ?`, id)
      if (!row) throw noRun(id, this.name)
      const lease = await this.#take(row)
      // Otherwise another writer took or released it meanwhile.
      if (lease) return lease
    }
  }

  /** @returns undefined if another writer was faster @throws StoreError while another process holds it */
  async #take(row: Row): Promise<Lease | undefined> {
    const holder = await holderOf(row)
    const [id, epoch] = [String(row.id), Number(row.epoch)]
    if (holder) throw inUse(id, holder)
    const taken = await this.#database.run(
      `UPDATE runs SET epoch = ?, owner = ?, leased_until_ms = ${this.#database.nowMs} + ? WHERE id = ? AND epoch = ?`,
      epoch + 1,
      JSON.stringify(await thisProcess()),
      this.#leaseMs,
      id,
      epoch,
    )
    return taken === 0 ? undefined : { id, epoch: epoch + 1 }
  }

  async #row(id: string): Promise<Row> {
    // Hexadecimal only, so it contains no wildcards.
    const rows = /^[0-9a-f]{1,40}$/.test(id)
      ? await this.#database.all(
          `SELECT ${runColumns(this.#database.nowMs)} FROM runs WHERE id LIKE ? LIMIT 2`,
          `${id}%`,
        )
      : []
    if (rows.length === 1) return rows[0]!
    if (rows.length === 0) throw noRun(id, this.name)
    throw new StoreError({
      code: 'store/ambiguous-run',
      message: `Several runs begin with ${id}.`,
      hint: 'Give more of its name. They are listed by: memagent runs',
      details: { id },
    })
  }
}

const noRun = (id: string, store: string) =>
  new StoreError({
    code: 'store/no-run',
    message: id === '' ? 'The name of the run is empty.' : `There is no run ${id} in ${store}.`,
    hint: 'They are listed by: memagent runs',
    details: { id, store },
  })

/** The last reading may be removed, but later readings depend on the earlier ones. */
const ofSession = (id: string, session: string) =>
  new StoreError({
    code: 'store/run-of-session',
    message: `Later readings of the session ${session} go on from the memory of the run ${id}.`,
    hint: `Only the last reading of a session can be taken back. The whole session: memagent session rm ${session}`,
    details: { id, session },
  })

const otherRun = (id: string) =>
  new StoreError({
    code: 'store/another-run',
    message: `The text or the settings are not those that the run ${id} began with, and nothing of it was read yet.`,
    hint: 'Ask again instead of resuming.',
    details: { id },
  })
