/** The cache of replies: its contents and its size limit. Runs write the entries (`run-replies.ts`). */
import { requireCount } from './check-given.ts'
import type { Database, Queries } from './database.ts'
import type { CacheSummary, ReplyCache } from './run-store.ts'

const defaultLimitBytes = 256 * 1024 * 1024
const limitSetting = 'cache-bytes'

export class SqlReplyCache implements ReplyCache {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async summary(): Promise<CacheSummary> {
    const [row] = await this.#database.all(
      'SELECT count(*) AS entries, sum(bytes) AS bytes, sum(hits) AS hits, sum(hits * tokens) AS tokens FROM cached_replies',
    )
    return {
      entries: Number(row?.entries ?? 0),
      bytes: Number(row?.bytes ?? 0),
      limitBytes: await limitOf(this.#database),
      hits: Number(row?.hits ?? 0),
      savedTokens: Number(row?.tokens ?? 0),
    }
  }

  async clear(): Promise<number> {
    const removed = await this.#database.transaction(async (queries) => {
      await queries.run('DELETE FROM cached_reply_uses')
      return queries.run('DELETE FROM cached_replies')
    })
    await this.#database.erase()
    return removed
  }

  async setLimit(bytes: number): Promise<void> {
    requireCount(bytes, 'The limit of the cache in bytes')
    await this.#database.transaction(async (queries) => {
      await queries.run(
        'INSERT INTO store_settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        limitSetting,
        String(bytes),
      )
      await evict(queries, bytes)
    })
    await this.#database.erase()
  }
}

/** The size limit of this store's cache, in bytes. */
export async function limitOf(queries: Queries): Promise<number> {
  const [row] = await queries.all('SELECT value FROM store_settings WHERE name = ?', limitSetting)
  const bytes = Number(row?.value ?? defaultLimitBytes)
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : defaultLimitBytes
}

/** Removes the least recently used replies until at most this many bytes are left. */
export async function evict(queries: Queries, bytes: number): Promise<void> {
  const [row] = await queries.all('SELECT sum(bytes) AS bytes FROM cached_replies')
  if (Number(row?.bytes ?? 0) <= bytes) return
  const surplus = await queries.all(
    `SELECT hash FROM (SELECT hash, sum(bytes) OVER (ORDER BY used_ms DESC, hash) AS total FROM cached_replies) AS by_use
      WHERE total > ? ORDER BY hash`,
    bytes,
  )
  await removeReplies(
    queries,
    surplus.map(({ hash }) => String(hash)),
  )
}

async function removeReplies(queries: Queries, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    await queries.run('DELETE FROM cached_replies WHERE hash = ?', hash)
    await queries.run('DELETE FROM cached_reply_uses WHERE hash = ?', hash)
  }
}

/** Removes runs, then the replies that no other run used. @param remove removes the runs */
export async function erasingReplies<Result>(
  queries: Queries,
  runs: readonly string[],
  remove: () => Promise<Result>,
): Promise<Result> {
  const used: string[] = []
  for (const run of runs) {
    const rows = await queries.all('SELECT hash FROM cached_reply_uses WHERE run = ?', run)
    used.push(...rows.map(({ hash }) => String(hash)))
  }
  const result = await remove()
  for (const hash of [...new Set(used)].sort()) {
    await queries.run(
      'DELETE FROM cached_replies WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM cached_reply_uses WHERE hash = ?)',
      hash,
      hash,
    )
  }
  return result
}
