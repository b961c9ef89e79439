/** The reply cache as one run sees it: reads are immediate, writes happen together with the run's steps. */
import type { ConversationCache, KeptReply } from '@memagent/core'
import type { Database, Queries } from './database.ts'
import { evict, limitOf } from './reply-cache.ts'

/** Format of the entries; entries of another format are ignored and overwritten. */
const format = 1
/** Size of an entry besides its reply, in the tables and their indexes. */
const entryOverheadBytes = 300
/** The size is checked after writing this many bytes, or this share of the limit if that is less. */
const evictionBytes = 1024 * 1024
const evictionShare = 1 / 16

interface PendingReplies {
  readonly replies: ReadonlyMap<string, KeptReply>
  readonly hits: ReadonlySet<string>
}

export class RunReplies implements ConversationCache {
  readonly #database: Database
  /** Not written yet, by hash. */
  readonly #replies = new Map<string, KeptReply>()
  readonly #hits = new Set<string>()
  /** Since the size was last checked. */
  #bytesWritten = Number.POSITIVE_INFINITY

  constructor(database: Database) {
    this.#database = database
  }

  /** Also undefined for an entry that is damaged or has another format. */
  async get(hash: string): Promise<unknown> {
    const reply = this.#replies.get(hash) ?? (await this.#stored(hash))
    if (reply !== undefined) this.#hits.add(hash)
    return reply
  }

  put(hash: string, reply: KeptReply): void {
    this.#replies.set(hash, reply)
  }

  /** What has not been written yet. */
  get pending(): PendingReplies {
    return { replies: new Map(this.#replies), hits: new Set(this.#hits) }
  }

  /** Called in the transaction of a step of this run, which may be repeated. */
  async write(queries: Queries, run: string, pending: PendingReplies): Promise<void> {
    const { nowMs } = this.#database
    const replies = [...pending.replies].sort(([a], [b]) => (a < b ? -1 : 1))
    const hits = [...pending.hits].sort()
    if (replies.length + hits.length === 0) return
    // Every process writes in the same order, which prevents deadlocks.
    for (const [hash, reply] of replies) await this.#insert(queries, hash, reply)
    for (const hash of hits) {
      await queries.run(`UPDATE cached_replies SET hits = hits + 1, used_ms = ${nowMs} WHERE hash = ?`, hash)
    }
    for (const hash of new Set([...pending.replies.keys(), ...hits])) {
      // Selects nothing if the reply was evicted meanwhile.
      await queries.run(
        'INSERT INTO cached_reply_uses (run, hash) SELECT CAST(? AS TEXT), hash FROM cached_replies WHERE hash = ? ON CONFLICT DO NOTHING',
        run,
        hash,
      )
    }
    await this.#keepToLimit(queries)
  }

  /** The transaction succeeded. Entries that arrived meanwhile are kept for the next step. */
  forget({ replies, hits }: PendingReplies): void {
    for (const [hash, reply] of replies) if (this.#replies.get(hash) === reply) this.#replies.delete(hash)
    for (const hash of hits) this.#hits.delete(hash)
  }

  async #insert(queries: Queries, hash: string, reply: KeptReply): Promise<void> {
    const { nowMs } = this.#database
    const json = JSON.stringify(reply)
    const bytes = Buffer.byteLength(json) + entryOverheadBytes
    const { promptTokens = 0, completionTokens = 0 } = reply.usage ?? {}
    await queries.run(
      `INSERT INTO cached_replies (hash, format, reply, bytes, tokens, hits, used_ms) VALUES (?, ?, ?, ?, ?, 0, ${nowMs})
        ON CONFLICT (hash) DO UPDATE SET format = excluded.format, reply = excluded.reply, bytes = excluded.bytes, tokens = excluded.tokens, used_ms = excluded.used_ms`,
      hash,
      format,
      json,
      bytes,
      promptTokens + completionTokens,
    )
    this.#bytesWritten += bytes
  }

  async #keepToLimit(queries: Queries): Promise<void> {
    const limit = await limitOf(queries)
    const slice = Math.min(evictionBytes, limit * evictionShare)
    if (this.#bytesWritten < slice) return
    // Leaves room for what is written until the next check.
    await evict(queries, Math.floor(limit - slice))
    this.#bytesWritten = 0
  }

  async #stored(hash: string): Promise<unknown> {
    try {
      const [row] = await this.#database.all('SELECT format, reply FROM cached_replies WHERE hash = ?', hash)
      return row && Number(row.format) === format ? (JSON.parse(String(row.reply)) as unknown) : undefined
    } catch {
      return undefined
    }
  }
}
