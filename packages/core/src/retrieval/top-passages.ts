/** The passages nearest to a query, from a stream of any length; holds no more of them than can be used. */
import { ChatError } from '../errors.ts'
import type { Passage, PieceText } from './passages.ts'

interface Entry {
  readonly passage: Passage<PieceText>
  readonly cosine: number
}

export class TopPassages {
  readonly #query: Float32Array
  /** Twice the room: passages overlap, and a half that two of them share takes room once. */
  readonly #mostTokens: number
  readonly #most: number
  /** Best first. */
  readonly #entries: Entry[] = []
  #tokens = 0

  /** @param roomTokens keeps the best passages that fill this many tokens, or `most` passages */
  constructor(query: Float32Array, roomTokens: number, most = Number.POSITIVE_INFINITY) {
    this.#query = query
    this.#mostTokens = 2 * roomTokens
    this.#most = most
  }

  /** @throws ChatError for a vector whose length differs from the query's */
  add({ passage, vector }: { readonly passage: Passage<PieceText>; readonly vector: Float32Array }): void {
    const entry = { passage, cosine: cosine(this.#query, vector) }
    const last = this.#entries.at(-1)
    const isFull = this.#tokens >= this.#mostTokens || this.#entries.length >= this.#most
    if (last && isFull && isBefore(last, entry)) return
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(this.#entries[middle]!, entry)) low = middle + 1
      else high = middle
    }
    this.#entries.splice(low, 0, entry)
    this.#tokens += tokensOf(passage)
    while (this.#entries.length > 1) {
      const rest = this.#tokens - tokensOf(this.#entries.at(-1)!.passage)
      if (rest < this.#mostTokens && this.#entries.length <= this.#most) break
      this.#entries.pop()
      this.#tokens = rest
    }
  }

  /** Best first; equal scores in order of adding. */
  get passages(): readonly Passage<PieceText>[] {
    return this.#entries.map(({ passage }) => passage)
  }
}

const tokensOf = ({ pieces }: Passage) => pieces.reduce((sum, { tokens }) => sum + tokens, 0)

const isBefore = (one: Entry, other: Entry) =>
  one.cosine > other.cosine || (one.cosine === other.cosine && one.passage.ordinal < other.passage.ordinal)

/** 0 if a vector has no direction. @throws ChatError for vectors of different lengths */
export function cosine(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) {
    throw new ChatError({
      code: 'chat/broken-embeddings',
      message: `The embedding model gave vectors of ${one.length} and of ${other.length} numbers.`,
    })
  }
  let [product, ones, others] = [0, 0, 0]
  for (let i = 0; i < one.length; i++) {
    product += one[i]! * other[i]!
    ones += one[i]! ** 2
    others += other[i]! ** 2
  }
  return ones === 0 || others === 0 ? 0 : product / Math.sqrt(ones * others)
}
