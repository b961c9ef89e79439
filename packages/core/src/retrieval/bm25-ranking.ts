/**
 * Ranks texts by BM25. Texts are added one by one and not kept, except for a few numbers of each that shares a term with the
 * query.
 */
import { Bm25, type QueryCounts } from './bm25.ts'
import { termCountsOf } from './search-terms.ts'

export interface Ranked {
  /** Position in the order of adding, from 0. */
  readonly ordinal: number
  readonly score: number
}

export class Bm25Ranking {
  readonly #bm25: Bm25
  readonly #matches: { readonly ordinal: number; readonly counts: QueryCounts }[] = []
  #added = 0

  constructor(query: string) {
    this.#bm25 = new Bm25(query)
  }

  /** True when the text has a term of the query. */
  add(text: string): boolean {
    const ordinal = this.#added++
    const counts = this.#bm25.countsOf(termCountsOf(text))
    this.#bm25.add(counts)
    if (counts.places.length === 0) return false
    this.#matches.push({ ordinal, counts })
    return true
  }

  /** The texts that share a term with the query, best first; equal scores in order of adding. */
  ranked(): Ranked[] {
    return this.#matches
      .map(({ ordinal, counts }) => ({ ordinal, score: this.#bm25.score(counts) }))
      .sort((one, other) => other.score - one.score || one.ordinal - other.ordinal)
  }
}
