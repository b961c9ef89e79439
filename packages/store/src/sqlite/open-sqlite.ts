/** The SQLite driver: one file, written by any number of processes on one machine. */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { Database, Queries, Row, Value } from '../database.ts'
import { StoreError } from '../errors.ts'
import { loadSqlite } from './load-sqlite.ts'
import { elsewhere, isBusy, isOfDatabase, sqliteError } from './sqlite-errors.ts'

/** How long SQLite waits for a lock, and how many times we try: writers that never pause starve each other. */
const lockWaitMs = 30_000
const lockAttempts = 4
/** `mema`, in the header of our files. */
const applicationId = 0x6d656d61

/**
 * Opens the file; creates it and its folder if needed, accessible only to their owner.
 * @throws StoreError if it cannot be written, is damaged or is not a store
 */
export async function openSqlite(path: string): Promise<Database> {
  const { DatabaseSync } = await loadSqlite()
  prepareFile(path)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: lockWaitMs })
    checkKind(database, path)
    const opened = database
    // Switching to WAL does not wait for locks by itself.
    await patiently(() => opened.exec('PRAGMA journal_mode = WAL'))
    // A killed process loses nothing, a power failure perhaps the last steps. Deleted content is overwritten.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON')
    return new SqliteDatabase(database, path)
  } catch (error) {
    database?.close()
    throw sqliteError(path, error)
  }
}

/** Blocks, so that a program that ends meanwhile and removes the folder does not find it made again. */
function prepareFile(path: string): void {
  try {
    makeFolder(dirname(path))
    closeSync(openSync(path, 'a', 0o600))
  } catch (cause) {
    throw new StoreError({
      code: 'store/unwritable',
      message: `The store ${path} cannot be written: ${(cause as Error).message}`,
      hint: elsewhere,
      details: { path },
      cause,
    })
  }
}

/** Node's recursive `mkdir` never returns for a folder that cannot have subfolders, as in /proc. */
function makeFolder(path: string, depth = 0): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EEXIST' || code === 'EISDIR') return
    if (code !== 'ENOENT' || dirname(path) === path || depth > 100) throw error
    makeFolder(dirname(path), depth + 1)
    makeFolder(path, depth + 1)
  }
}

/** Leaves databases of other programs alone. */
function checkKind(database: DatabaseSync, path: string): void {
  const sql =
    'SELECT application_id AS id, (SELECT count(*) FROM sqlite_master) AS tables FROM pragma_application_id'
  const { id, tables } = database.prepare(sql).get() as { readonly id: number; readonly tables: number }
  if (id === applicationId) return
  if (id !== 0 || tables > 0) {
    throw new StoreError({
      code: 'store/not-a-store',
      message: `${path} is a database of another program, not a store of memagent.`,
      hint: elsewhere,
      details: { path },
    })
  }
  database.exec(`PRAGMA application_id = ${applicationId}`)
}

async function patiently<Result>(work: () => Result): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || attempt === lockAttempts) throw error
      await setTimeout(20 + Math.random() * 200)
    }
  }
}

const writers = new Map<string, Promise<unknown>>()

/**
 * Lets one connection of this process write at a time. SQLite blocks the thread while it waits for a lock, and so the very
 * connection that holds it.
 */
function oneWriter<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  const result = (writers.get(path) ?? Promise.resolve()).then(write)
  const ended = result.then(
    () => undefined,
    () => undefined,
  )
  writers.set(path, ended)
  void ended.then(() => {
    if (writers.get(path) === ended) writers.delete(path)
  })
  return result
}

class SqliteDatabase implements Database {
  readonly name: string
  readonly nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** Serializes the transactions of this connection. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.name = path
  }

  all(sql: string, ...values: Value[]): Promise<readonly Row[]> {
    return this.#inTurn(() => this.#all(sql, values))
  }

  run(sql: string, ...values: Value[]): Promise<number> {
    return this.#inTurn(() => oneWriter(this.name, async () => this.#run(sql, values)))
  }

  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => oneWriter(this.name, () => this.#transaction(work)))
  }

  async #transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    await patiently(() => this.#database.exec('BEGIN IMMEDIATE'))
    try {
      const result = await work({
        all: async (sql, ...values) => this.#all(sql, values),
        run: async (sql, ...values) => this.#run(sql, values),
      })
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      // A full disk has already rolled it back.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  async erase(): Promise<void> {
    await this.#inTurn(async () => this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#database.isOpen) this.#database.close()
    })
  }

  #inTurn<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = this.#last.then(work).catch((error: unknown) => {
      throw isOfDatabase(error) ? sqliteError(this.name, error) : error
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  #all(sql: string, values: readonly Value[]): readonly Row[] {
    return this.#prepare(sql).all(...values) as unknown as readonly Row[]
  }

  #run(sql: string, values: readonly Value[]): number {
    return Number(this.#prepare(sql).run(...values).changes)
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
