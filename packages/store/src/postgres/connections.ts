/** Connections to one Postgres server, all set up alike, with retries when they break. */
import { setTimeout } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'
import type { Row, Value } from '../database.ts'
import { loadPg } from './load-pg.ts'
import { isAway, isCollision, isLost } from './postgres-errors.ts'
import { original, writable } from './text.ts'

/** Tables live in their own schema: other programs may use the database too. */
export const schema = 'memagent'

/** A process that is frozen inside a transaction loses it before those waiting for its rows give up. */
const setUp = `SET search_path TO ${schema}; SET lock_timeout TO '30s'; SET idle_in_transaction_session_timeout TO '20s';
  SET default_transaction_isolation TO 'read committed'; SET client_min_messages TO warning`
/** How long to wait for a server that was reached before: restarting takes seconds. Shorter than a lease. */
const patienceMs = 30_000
const connectMs = 10_000
/** Timeout for replies: a server may vanish without closing the connection. */
const replyMs = 300_000
const closeMs = 2_000
const collisions = 20

export class Connections {
  readonly #pool: Pool
  #awaySinceMs: number | undefined
  #wasReached = false
  #closing: Promise<void> | undefined

  private constructor(pool: Pool) {
    this.#pool = pool
    // A broken idle connection is replaced when one is needed.
    pool.on('error', () => undefined)
  }

  /** @throws StoreError if `pg` is not installed */
  static async open(address: string): Promise<Connections> {
    const { Pool, types } = await loadPg()
    const parsers = types as {
      getTypeParser(id: number, format?: 'text' | 'binary'): (text: string) => unknown
    }
    return new Connections(
      new Pool({
        connectionString: address,
        application_name: 'memagent',
        max: 4,
        allowExitOnIdle: true,
        connectionTimeoutMillis: connectMs,
        query_timeout: replyMs,
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
        // `pg` returns BIGINT as text; times and counts fit a number.
        types: {
          getTypeParser: (id: number, format?: 'text' | 'binary') =>
            id === types.builtins.INT8 ? Number : parsers.getTypeParser(id, format),
        } as never,
        onConnect: async (client: ClientBase) => {
          await client.query(setUp)
        },
      } as ConstructorParameters<typeof Pool>[0]),
    )
  }

  /** @param work gets a connection of its own */
  async use<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    // The query reports the broken connection as well.
    client.once('error', ignore)
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(isLost(error))
      throw error
    } finally {
      client.removeListener('error', ignore)
    }
  }

  /** Retries when the connection broke or transactions collided. @param work safe to repeat */
  async patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await work()
        this.#awaySinceMs = undefined
        this.#wasReached = true
        return result
      } catch (error) {
        if (!this.#isWorthAnother(error, attempt)) throw error
        await setTimeout(Math.min(2000, 50 * 2 ** attempt) * (0.5 + Math.random()))
      }
    }
  }

  #isWorthAnother(error: unknown, attempt: number): boolean {
    if (this.#closing) return false
    if (isCollision(error)) return attempt < collisions
    // If no connection ever succeeded, the address may be wrong.
    if (!(this.#wasReached ? isAway(error) : isLost(error))) return false
    this.#awaySinceMs ??= performance.now()
    return performance.now() - this.#awaySinceMs < patienceMs
  }

  /** Idempotent. Does not wait for a server that is away. */
  close(): Promise<void> {
    this.#closing ??= Promise.race([this.#pool.end(), setTimeout(closeMs, undefined, { ref: false })])
    return this.#closing
  }
}

const ignore = () => undefined

const numbered = new Map<string, string>()

/** Runs SQL with `?` placeholders. */
export async function query(client: PoolClient, sql: string, values: readonly Value[]) {
  let text = numbered.get(sql)
  if (text === undefined) {
    let number = 0
    text = sql.replaceAll('?', () => `$${++number}`)
    numbered.set(sql, text)
  }
  const { rows, rowCount } = await client.query(
    text,
    values.map((value) => (typeof value === 'string' ? writable(value) : value)),
  )
  for (const row of rows) {
    for (const [name, value] of Object.entries(row))
      if (typeof value === 'string') row[name] = original(value)
  }
  return { rows: rows as readonly Row[], changed: rowCount ?? 0 }
}
