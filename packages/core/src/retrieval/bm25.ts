/**
 * BM25 (Robertson et al., TREC-3, 1994) as Lucene computes it: k1 1.2, b 0.75, idf ln(1 + (N - n + 0.5) / (n + 0.5)), without
 * the factor k1 + 1, which would change no rank.
 *
 * BM25 libraries index all words of all texts for later queries; here the query is known first, and of the texts only a few
 * totals are kept. So any number of texts can be ranked: count all of them, then score each.
 */
import { type TermCounts, termCountsOf } from './search-terms.ts'

const k1 = 1.2
const b = 0.75

/** What a score needs of a text. */
export interface QueryCounts {
  /** Without stop words. */
  readonly terms: number
  /** Index of each query term that the text has, followed by how often it occurs. */
  readonly places: readonly number[]
}

export class Bm25 {
  /** Each term of the query, and how often it occurs there. */
  readonly #query: readonly (readonly [term: string, times: number])[]
  readonly #textsWith: number[]
  /** Number of texts with at least one term, and of their terms. */
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

  /** One more of the texts that are ranked. */
  add({ terms, places }: QueryCounts): void {
    if (terms > 0) this.#texts++
    this.#terms += terms
    for (let i = 0; i < places.length; i += 2) this.#textsWith[places[i]!]!++
  }

  /** Of a text among those added, which must be all of them; 0 where it has no term of the query. */
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
