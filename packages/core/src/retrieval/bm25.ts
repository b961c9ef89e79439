/**
 * BM25 (Robertson et al., TREC-3, 1994) as Lucene computes it: k1 1.2, b 0.75, idf ln(1 + (N - n + 0.5) / (n + 0.5)), without
 * the factor k1 + 1, which would change no rank.
 *
 * BM25 libraries index all words of all texts for later queries; here the query is known first, and of the texts only a few
 * totals are kept. So any number of texts can be ranked: count all of them, then score each.
 */
import { termOf, wordsOf } from './search-terms.ts'

const k1 = 1.2
const b = 0.75

/** Words whose terms are remembered at a time. */
const mostKnownWords = 100_000

/** What a score needs of a text. */
export interface TermCounts {
  /** Without stop words. */
  readonly terms: number
  /** Index of each query term that the text has, followed by how often it occurs. */
  readonly places: readonly number[]
}

export class Bm25 {
  /** How often each term occurs in the query. */
  readonly #times: readonly number[]
  readonly #index: ReadonlyMap<string, number>
  readonly #textsWith: number[]
  /** A word's index among the query's terms; `otherTerm` for other terms, `noTerm` for stop words. */
  readonly #known = new Map<string, number>()
  /** Number of texts with at least one term, and of their terms. */
  #texts = 0
  #terms = 0

  constructor(query: string) {
    const times = new Map<string, number>()
    for (const word of wordsOf(query)) {
      const term = termOf(word)
      if (term !== undefined) times.set(term, (times.get(term) ?? 0) + 1)
    }
    this.#times = [...times.values()]
    this.#index = new Map([...times.keys()].map((term, i) => [term, i]))
    this.#textsWith = this.#times.map(() => 0)
  }

  countsOf(text: string): TermCounts {
    let terms = 0
    const counts = new Map<number, number>()
    for (const word of wordsOf(text)) {
      const place = this.#placeOf(word)
      if (place === noTerm) continue
      terms++
      if (place !== otherTerm) counts.set(place, (counts.get(place) ?? 0) + 1)
    }
    // In the query's order: sums depend on theirs.
    return { terms, places: [...counts].sort(([one], [other]) => one - other).flat() }
  }

  /** One more of the texts that are ranked. */
  add({ terms, places }: TermCounts): void {
    if (terms > 0) this.#texts++
    this.#terms += terms
    for (let i = 0; i < places.length; i += 2) this.#textsWith[places[i]!]!++
  }

  /** Of a text among those added, which must be all of them; 0 where it has no term of the query. */
  score({ terms, places }: TermCounts): number {
    const averageTerms = this.#terms / this.#texts
    const norm = k1 * (1 - b + (b * terms) / averageTerms)
    let score = 0
    for (let i = 0; i < places.length; i += 2) {
      const [place, count] = [places[i]!, places[i + 1]!]
      const n = this.#textsWith[place]!
      const weight = this.#times[place]! * Math.log(1 + (this.#texts - n + 0.5) / (n + 0.5))
      score += (weight * count) / (count + norm)
    }
    return score
  }

  #placeOf(word: string): number {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const term = termOf(word)
    const place = term === undefined ? noTerm : (this.#index.get(term) ?? otherTerm)
    if (this.#known.size >= mostKnownWords) this.#known.clear()
    this.#known.set(word, place)
    return place
  }
}

const otherTerm = -1
const noTerm = -2
