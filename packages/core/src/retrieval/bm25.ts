/**
 * BM25 (Robertson et al., TREC-3, 1994) as Lucene computes it: k1 1.2, b 0.75, idf ln(1 + (N - n + 0.5) / (n + 0.5)), without the
 * factor k1 + 1, which would not change any rank.
 *
 * BM25 libraries index all words of all texts for later queries. Here the query comes first, and only a few totals of the texts
 * are kept, so any number of texts can be ranked: count all of them, then score each.
 */
import { type TermCounts, termCountsOf } from './search-terms.ts'

const k1 = 1.2
const b = 0.75

/** What the score of a text depends on. */
export interface QueryCounts {
  /** Number of terms, without stop words. */
  readonly terms: number
  /** Index of each query term in the text, followed by how often it occurs. */
  readonly places: readonly number[]
}

export class Bm25 {
  /** Each term of the query, and how often it occurs there. */
  readonly #query: readonly (readonly [term: string, times: number])[]
  readonly #textsWith: number[]
  /** Number of texts with at least one term, and total number of terms. */
  #texts = 0
  #terms = 0

  constructor(query: string) {
    this.#query = [...termCountsOf(query).times]
    this.#textsWith = this.#query.map(() => 0)
  }

  countsOf({ total, times }: TermCounts): QueryCounts {
    const places: number[] = []
    for (const [place, [term]] of this.#query.entries()) {
      const count = times.get(term)
      if (count !== undefined) places.push(place, count)
    }
    return { terms: total, places }
  }

  add({ terms, places }: QueryCounts): void {
    if (terms > 0) this.#texts++
    this.#terms += terms
    for (let i = 0; i < places.length; i += 2) this.#textsWith[places[i]!]!++
  }

  /** Score of an added text, once all are added; 0 if it has no term of the query. */
  score({ terms, places }: QueryCounts): number {
    const averageTerms = this.#terms / this.#texts
    const norm = k1 * (1 - b + (b * terms) / averageTerms)
    let score = 0
    for (let i = 0; i < places.length; i += 2) {
      const [place, count] = [places[i]!, places[i + 1]!]
      const n = this.#textsWith[place]!
      const [, times] = this.#query[place]!
      score += (times * Math.log(1 + (this.#texts - n + 0.5) / (n + 0.5)) * count) / (count + norm)
    }
    return score
  }
}
