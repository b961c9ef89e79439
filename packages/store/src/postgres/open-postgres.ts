/** The Postgres driver: one database, written by any number of processes on any number of machines. */
import { MemAgentError } from '@memagent/core'
import type { PoolClient, QueryResult } from 'pg'
import type { Database, Queries, Row, Value } from '../database.ts'
import { StoreError } from '../errors.ts'
import { elsewhere } from '../sqlite/sqlite-errors.ts'
import { checkAddress, withoutPassword } from './address.ts'
import { Connections, query, schema } from './connections.ts'
import { isLost, postgresError } from './postgres-errors.ts'

/** `mema`: the advisory lock that stores of memagent use. */
const lock = 0x6d656d61

/**
 * Opens the database and creates its schema.
 * @param address as `pg` takes it; a missing password comes from PGPASSWORD or ~/.pgpass
 * @throws StoreError if the server cannot be reached, refuses the login or cannot be written, or if the schema belongs to
 * another program; with code `store/no-pg` if the package is not installed
 */
export async function openPostgres(address: string): Promise<Database> {
  checkAddress(address)
  return quietly(async () => {
    const database = new PostgresDatabase(address, await Connections.open(address))
    try {
      await prepareSchema(database)
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  })
}

let quiet = 0
let emitWarning = process.emitWarning

/** Silences `pg`'s deprecation warnings about addresses and password files. Counts, since stores may be opened concurrently. */
async function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
  if (quiet++ === 0) {
    emitWarning = process.emitWarning
    process.emitWarning = () => undefined
  }
  try {
    return await work()
  } finally {
    if (--quiet === 0) process.emitWarning = emitWarning
  }
}

async function prepareSchema(database: PostgresDatabase): Promise<void> {
  const [found] = await database.all(
    `SELECT current_setting('server_encoding') AS encoding,
      (SELECT count(*) FROM pg_namespace WHERE nspname = ?) AS schemas,
      (SELECT count(*) FROM pg_tables WHERE schemaname = ?) AS tables,
      (SELECT count(*) FROM pg_tables WHERE schemaname = ? AND tablename = 'schema_version') AS versions`,
    schema,
    schema,
    schema,
  )
  const { encoding, schemas, tables, versions } = found!
  if (encoding !== 'UTF8') {
    throw refused(
      database.name,
      'encoding',
      `The store ${database.name} cannot keep every text: its encoding is ${encoding}, not UTF8.`,
      'Create a database with: createdb --encoding UTF8 --template template0 NAME',
    )
  }
  if (Number(tables) > 0 && Number(versions) === 0) {
    throw refused(
      database.name,
      'not-a-store',
      `The schema ${schema} of ${database.name} belongs to another program, not to memagent.`,
      `Name another database. ${elsewhere}`,
    )
  }
  if (Number(schemas) > 0) return
  await database.transaction((queries) => queries.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`), {
    isAlone: true,
  })
}

const refused = (store: string, code: string, message: string, hint: string) =>
  new StoreError({ code: `store/${code}`, message, hint, details: { store } })

class PostgresDatabase implements Database {
  readonly name: string
  // Not now(), which stands still within a transaction.
  readonly nowMs = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)'
  readonly #connections: Connections
  readonly #secret: string

  constructor(address: string, connections: Connections) {
    this.name = withoutPassword(address)
    this.#connections = connections
    this.#secret = process.env.PGPASSWORD ?? /^[^:]*:\/\/[^:@/]*:([^@]*)@/.exec(address)?.[1] ?? ''
  }

  all(sql: string, ...values: Value[]): Promise<readonly Row[]> {
    return this.#patiently(() =>
      this.#connections.use(async (client) => (await query(client, sql, values)).rows),
    )
  }

  run(sql: string, ...values: Value[]): Promise<number> {
    return this.transaction((queries) => queries.run(sql, ...values))
  }

  /**
   * Takes effect once even if the connection breaks: a transaction that was not committed is repeated, and if the connection
   * broke during COMMIT, the server is asked whether it was.
   */
  transaction<Result>(
    work: (queries: Queries) => Promise<Result>,
    { isAlone = false }: { readonly isAlone?: boolean } = {},
  ): Promise<Result> {
    let committing: { readonly id: string; readonly result: Result } | undefined
    const begin = `BEGIN; SELECT ${isAlone ? `pg_advisory_xact_lock(${lock}), ` : ''}CAST(txid_current() AS TEXT) AS id`
    return this.#patiently(async () => {
      if (committing && (await this.#isCommitted(committing.id))) return committing.result
      committing = undefined
      return this.#connections.use(async (client) => {
        const begun = (await client.query(begin)) as unknown as readonly QueryResult[]
        try {
          const result = await work(queriesOf(client))
          committing = { id: String(begun.at(-1)!.rows[0].id), result }
          const { command } = await client.query('COMMIT')
          if (command !== 'COMMIT') throw new Error('the server undid a transaction')
          return result
        } catch (error) {
          if (isLost(error)) throw error
          committing = undefined
          await client.query('ROLLBACK').catch(() => undefined)
          throw error
        }
      })
    })
  }

  async #isCommitted(id: string): Promise<boolean> {
    const sql = 'SELECT txid_status(CAST(CAST(? AS TEXT) AS BIGINT)) AS status'
    const [row] = (await this.#connections.use((client) => query(client, sql, [id]))).rows
    if (row?.status !== 'in progress') return row?.status === 'committed'
    throw Object.assign(new Error('Connection terminated while a transaction ended'), { code: '08007' })
  }

  /** Postgres reuses the space of removed rows once they are vacuumed. If this user may not vacuum, autovacuum does it later. */
  async erase(): Promise<void> {
    const tables = await this.all('SELECT tablename FROM pg_tables WHERE schemaname = ?', schema)
    const names = tables.map(({ tablename }) => `"${tablename}"`).join(', ')
    await this.#connections
      .use((client) => client.query(`VACUUM (SKIP_LOCKED) ${names}`))
      .catch(() => undefined)
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  async #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#connections.patiently(work)
    } catch (error) {
      throw MemAgentError.isInstance(error) ? error : postgresError(this.name, this.#secret, error)
    }
  }
}

const queriesOf = (client: PoolClient): Queries => ({
  all: async (sql, ...values) => (await query(client, sql, values)).rows,
  run: async (sql, ...values) => (await query(client, sql, values)).changed,
})
