/** Keys of a server's clients, in the store of its runs: names and hashes, never keys. */
import { requireCount } from './check-given.ts'
import type { Database, Row } from './database.ts'
import { StoreError } from './errors.ts'

export interface StoredKey {
  /** Unique, such as `team-a`. */
  readonly name: string
  /** Hash of the key; the server chooses the function. */
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly createdMs: number
  readonly limits: KeyLimits
}

/** Limits of one key; undefined means no limit of its own. */
export interface KeyLimits {
  /** At the same time. */
  readonly readings?: number | undefined
  readonly requestsPerMinute?: number | undefined
}

export interface KeyStore {
  /** @throws StoreError `store/key-exists` if the name is taken */
  add(name: string, hash: string, limits?: KeyLimits): Promise<void>
  find(hash: string): Promise<StoredKey | undefined>
  /** Oldest first. */
  list(): Promise<readonly StoredKey[]>
  /** @throws StoreError `store/no-key` */
  remove(name: string): Promise<void>
}

/** Keys in any database. */
export class SqlKeyStore implements KeyStore {
  readonly #database: Database

  /** @param database whose tables exist */
  constructor(database: Database) {
    this.#database = database
  }

  async add(name: string, hash: string, limits: KeyLimits = {}): Promise<void> {
    for (const limit of ['readings', 'requestsPerMinute'] as const)
      if (limits[limit] !== undefined) requireCount(limits[limit], `The limit ${limit} of a key`)
    const { nowMs } = this.#database
    const added = await this.#database.run(
      `INSERT INTO client_keys (name, hash, created_ms, readings, requests_per_minute) VALUES (?, ?, ${nowMs}, ?, ?) ON CONFLICT DO NOTHING`,
      name,
      hash,
      limits.readings ?? null,
      limits.requestsPerMinute ?? null,
    )
    if (added === 0) throw keyExists(name)
  }

  async find(hash: string): Promise<StoredKey | undefined> {
    const [row] = await this.#database.all(`SELECT ${columns} FROM client_keys WHERE hash = ?`, hash)
    return row && keyOf(row)
  }

  async list(): Promise<readonly StoredKey[]> {
    const rows = await this.#database.all(`SELECT ${columns} FROM client_keys ORDER BY created_ms, name`)
    return rows.map(keyOf)
  }

  async remove(name: string): Promise<void> {
    const removed = await this.#database.run('DELETE FROM client_keys WHERE name = ?', name)
    if (removed === 0) throw noKey(name)
    await this.#database.erase()
  }
}

const columns = 'name, hash, created_ms, readings, requests_per_minute'

const keyOf = (row: Row): StoredKey => ({
  name: String(row.name),
  hash: String(row.hash),
  createdMs: Number(row.created_ms),
  limits: {
    ...(row.readings != null && { readings: Number(row.readings) }),
    ...(row.requests_per_minute != null && { requestsPerMinute: Number(row.requests_per_minute) }),
  },
})

const keyExists = (name: string) =>
  new StoreError({
    code: 'store/key-exists',
    message: `There is a key ${name} already.`,
    hint: 'Choose another name, or remove that key first. They are listed by: memagent keys',
    details: { name },
  })

const noKey = (name: string) =>
  new StoreError({
    code: 'store/no-key',
    message: `There is no key ${name}.`,
    hint: 'They are listed by: memagent keys',
    details: { name },
  })
