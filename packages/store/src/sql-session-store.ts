/** The store of sessions on any database. */
import { randomBytes } from 'node:crypto'
import { type MemoryLogEntry, type ReadingStart, type RunIdentity, startAfter } from '@memagent/core'
import { type ProcessIdentity, thisProcess } from '@memagent/core/node'
import { checkDescription } from './check-given.ts'
import { createAskedRun, createRun } from './create-run.ts'
import type { Database, Queries, Row } from './database.ts'
import { StoreError } from './errors.ts'
import { holderOf, type Lease, leaseColumns } from './lease.ts'
import { parsed } from './parsed.ts'
import { erasingReplies } from './reply-cache.ts'
import { listedOf, summaryColumns, summaryOf } from './rows.ts'
import type { RunStore, RunWriter } from './run-store.ts'
import { SqlRunWriter } from './run-writer.ts'
import {
  documentOf,
  grouped,
  insertDocument,
  listedSessionOf,
  sessionOf,
  sessionSummaries,
} from './session-rows.ts'
import type {
  FindOptions,
  NewDocument,
  NewReading,
  SessionDocument,
  SessionReading,
  SessionStore,
  SessionSummary,
} from './session-store.ts'

/** The largest value of an INTEGER column that every database supports. */
const largestInteger = 2 ** 31 - 1

export class SqlSessionStore implements SessionStore {
  readonly #database: Database
  readonly #leaseMs: number
  readonly #runs: RunStore

  constructor(database: Database, leaseMs: number, runs: RunStore) {
    this.#database = database
    this.#leaseMs = leaseMs
    this.#runs = runs
  }

  async list(): Promise<readonly SessionSummary[]> {
    const rows = await this.#database.all(`${sessionSummaries} ${grouped} ORDER BY updated_ms DESC, name`)
    return rows.map((row) => listedSessionOf(row, this.#database.name))
  }

  async find(name: string, { withDamaged }: FindOptions = {}): Promise<SessionSummary | undefined> {
    const [row] = await this.#database.all(`${sessionSummaries} WHERE sessions.name = ? ${grouped}`, name)
    return row && (withDamaged ? listedSessionOf : sessionOf)(row, this.#database.name)
  }

  async load(name: string, options?: FindOptions): Promise<SessionSummary> {
    const session = await this.find(name, options)
    if (session) return session
    throw new StoreError({
      code: 'store/no-session',
      message: name === '' ? 'The name of the session is empty.' : `There is no session ${name}.`,
      hint: 'memagent session list shows them; memagent session read begins one.',
      details: { name, store: this.#database.name },
    })
  }

  async readings(name: string, { withDamaged }: FindOptions = {}): Promise<readonly SessionReading[]> {
    const rows = await this.#database.all(
      `SELECT ${summaryColumns(this.#database.nowMs, 'runs.')}, number FROM session_readings
        JOIN runs ON runs.id = session_readings.run JOIN sessions ON sessions.id = session_readings.session
        WHERE sessions.name = ? ORDER BY number`,
      name,
    )
    const read = withDamaged ? listedOf : summaryOf
    return Promise.all(
      rows.map(async (row) => ({ number: Number(row.number), ...(await read(row, this.#database.name)) })),
    )
  }

  async documents(name: string): Promise<readonly SessionDocument[]> {
    const rows = await this.#database.all(
      `SELECT session_readings.number AS reading, session_documents.number AS number, path, read_as, size_bytes, sha256, input,
          start_byte, end_byte, runs.state AS state FROM session_documents
        JOIN session_readings ON session_readings.run = session_documents.run
        JOIN runs ON runs.id = session_readings.run JOIN sessions ON sessions.id = session_readings.session
        WHERE sessions.name = ? ORDER BY session_readings.number, session_documents.number`,
      name,
    )
    return rows.map(documentOf)
  }

  async start(name: string, reading = largestInteger): Promise<ReadingStart | undefined> {
    const [last] = await this.#database.all(
      `SELECT run, number FROM session_readings JOIN sessions ON sessions.id = session_readings.session
        JOIN runs ON runs.id = session_readings.run
        WHERE sessions.name = ? AND number <= ? AND runs.checkpoint IS NOT NULL ORDER BY number DESC LIMIT 1`,
      name,
      reading,
    )
    if (!last) return undefined
    const { checkpoint } = await this.#runs.load(String(last.run))
    if (!checkpoint) return undefined
    const rows = await this.#database.all(
      `SELECT entry FROM memories JOIN session_readings ON session_readings.run = memories.run
        JOIN sessions ON sessions.id = session_readings.session
        WHERE sessions.name = ? AND session_readings.number <= ? ORDER BY session_readings.number, memories.number`,
      name,
      Number(last.number),
    )
    // A step that was not saved may have left entries beyond the checkpoint.
    const wanted = (checkpoint.earlier?.memories ?? 0) + checkpoint.memoryLogLength
    const memories = rows.slice(0, wanted).map((row) => {
      const { step, text } = parsed<MemoryLogEntry>(row.entry, this.#database.name)
      return { step, text }
    })
    const start = startAfter(checkpoint, memories)
    // A skipped source is tried again next time.
    return { ...start, warnings: start.warnings.filter(({ code }) => code !== 'source-skipped') }
  }

  begin(name: string, reading: NewReading): RunWriter {
    checkDescription(reading.run)
    return new SqlRunWriter(this.#database, this.#leaseMs, async (identity, hold) =>
      hold(await this.#begin(name, reading, identity)),
    )
  }

  async #begin(name: string, reading: NewReading, identity: RunIdentity): Promise<Lease> {
    const { nowMs } = this.#database
    const run = {
      description: reading.run,
      identity,
      owner: await thisProcess(),
      leaseMs: this.#leaseMs,
    }
    return this.#add(name, reading, async (queries) => {
      const lease = await createRun(queries, nowMs, run)
      if (!lease) throw moved(name)
      return lease
    })
  }

  async create(name: string, reading: NewReading): Promise<string> {
    checkDescription(reading.run)
    const { nowMs } = this.#database
    const { id } = await this.#add(name, reading, async (queries) => ({
      id: await createAskedRun(queries, nowMs, reading.run),
    }))
    return id
  }

  /** @param createRun creates the run of the reading */
  async #add<Run extends { readonly id: string }>(
    name: string,
    reading: NewReading,
    createRun: (queries: Queries) => Promise<Run>,
  ): Promise<Run> {
    // Finding out who holds the unfinished reading inspects processes, so it happens outside the transaction.
    const begun = await this.#database.transaction(async (queries) => {
      const session = await this.#session(queries, name)
      const last = await this.#lastReading(queries, session)
      if (last && last.state !== 'finished') return { unfinished: last }
      if (Number(last?.number ?? 0) !== reading.after) throw moved(name)
      const run = await createRun(queries)
      await queries.run(
        'INSERT INTO session_readings (session, number, run) VALUES (?, ?, ?)',
        ...[session, reading.after + 1, run.id],
      )
      for (const [i, document] of reading.documents.entries()) {
        await insertDocument(queries, run.id, i, document)
      }
      return { run }
    })
    if ('run' in begun) return begun.run
    throw await this.#unfinished(name, begun.unfinished)
  }

  /** The id of the session, created if needed. Other readings that begin wait for this transaction. */
  async #session(queries: Queries, name: string): Promise<string> {
    await queries.run(
      `INSERT INTO sessions (id, name, created_ms) VALUES (?, ?, ${this.#database.nowMs})
        ON CONFLICT (name) DO UPDATE SET name = excluded.name`,
      ...[randomBytes(5).toString('hex'), name],
    )
    const [row] = await queries.all('SELECT id FROM sessions WHERE name = ?', name)
    return String(row!.id)
  }

  async #lastReading(queries: Queries, session: string): Promise<Row | undefined> {
    const rows = await queries.all(
      `SELECT ${leaseColumns(this.#database.nowMs)}, number, state FROM session_readings
        JOIN runs ON runs.id = session_readings.run WHERE session = ? ORDER BY number DESC LIMIT 1`,
      session,
    )
    return rows[0]
  }

  async #unfinished(name: string, row: Row): Promise<StoreError> {
    const holder = await holderOf(row)
    if (holder) return inUse(name, String(row.id), holder)
    return new StoreError({
      code: 'store/session-unfinished',
      message: `A reading of the session ${name} was stopped (run ${row.id}), and has to go on first.`,
      hint: goOn(name),
      details: { name, run: String(row.id) },
    })
  }

  async moveDocument(name: string, from: string, to: string): Promise<void> {
    await this.#database.run(
      `UPDATE session_documents SET path = ?, read_as = coalesce(read_as, path) WHERE path = ? AND run IN (SELECT run
        FROM session_readings JOIN sessions ON sessions.id = session_readings.session WHERE sessions.name = ?)`,
      ...[to, from, name],
    )
  }

  async replaceDocument(
    name: string,
    number: number,
    version: NewDocument | undefined,
    by?: RunWriter,
  ): Promise<void> {
    const run = by?.id ?? (await this.stopped(name))
    await this.#database.transaction(async (queries) => {
      await queries.run('DELETE FROM session_documents WHERE run = ? AND number = ?', run, number)
      if (version) await insertDocument(queries, run, number, version)
    })
  }

  async endReading(
    name: string,
    { lastDocument, endByte, memory }: Parameters<SessionStore['endReading']>[1],
  ): Promise<void> {
    const id = await this.stopped(name)
    const { identity, checkpoint } = await this.#runs.load(id)
    if (!checkpoint) throw nothingRead(name, id)
    const writer = await this.#runs.resume(id)
    await writer.load(identity)
    await this.#database.transaction(async (queries) => {
      await queries.run('DELETE FROM session_documents WHERE run = ? AND number > ?', id, lastDocument)
      await queries.run(
        'UPDATE session_documents SET end_byte = ? WHERE run = ? AND number = ?',
        ...[endByte, id, lastDocument],
      )
    })
    const { state, steps, usage, seconds, warnings } = checkpoint
    await writer.finish({ type: 'notes', memory, state, warnings, steps, usage, seconds })
  }

  async remove(name: string): Promise<void> {
    const { unfinished } = await this.load(name, { withDamaged: true })
    if (unfinished !== undefined) await this.stopped(name)
    await this.#database.transaction(async (queries) => {
      const rows = await queries.all(
        'SELECT run FROM session_readings JOIN sessions ON sessions.id = session_readings.session WHERE sessions.name = ?',
        name,
      )
      const runs = rows.map(({ run }) => String(run))
      await erasingReplies(queries, runs, async () => {
        for (const run of runs) await queries.run('DELETE FROM runs WHERE id = ?', run)
      })
      await queries.run('DELETE FROM sessions WHERE name = ?', name)
    })
    await this.#database.erase()
  }

  async stopped(name: string): Promise<string> {
    const { unfinished } = await this.load(name, { withDamaged: true })
    if (unfinished === undefined) throw moved(name)
    const [row] = await this.#database.all(
      `SELECT ${leaseColumns(this.#database.nowMs)} FROM runs WHERE id = ?`,
      unfinished,
    )
    const holder = row && (await holderOf(row))
    if (holder) throw inUse(name, unfinished, holder)
    return unfinished
  }
}

/** Quotes the name for a shell. */
const goOn = (name: string) => `Go on: memagent session read ${/\s/.test(name) ? `"${name}"` : name}`

const inUse = (name: string, run: string, { pid, host }: ProcessIdentity) =>
  new StoreError({
    code: 'store/session-in-use',
    message: `Another process is reading into the session ${name} (${pid} on ${host}).`,
    hint: 'Wait for it, or stop it.',
    details: { name, run, pid, host },
  })

const nothingRead = (name: string, run: string) =>
  new StoreError({
    code: 'store/nothing-read',
    message: `The unfinished reading of the session ${name} has read nothing yet, so there is no memory to end it with.`,
    hint: goOn(name),
    details: { name, run },
  })

const moved = (name: string) =>
  new StoreError({
    code: 'store/session-moved',
    message: `Another process has read into the session ${name}, or removed it, since this one began.`,
    hint: 'Run the command again.',
    details: { name },
  })
