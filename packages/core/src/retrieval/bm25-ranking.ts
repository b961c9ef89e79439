/**
 * BM25 (Robertson et al., TREC-3, 1994) as Lucene computes it: k1 1.2, b 0.75, idf ln(1 + (N - n + 0.5) / (n + 0.5)), without
 * the factor k1 + 1, which would change no rank. Texts are added one by one and not kept: only a few numbers remain of
 * each text that shares a term with the query, so any number of texts can be ranked.
 *
 * BM25 libraries index all words of all texts for later queries; here the query is known first.
 */
import { termOf, wordsOf } from './search-terms.ts'

const k1 = 1.2
const b = 0.75

/** Words whose terms are remembered at a time. */
const mostKnownWords = 100_000

export interface Ranked {
  /** Position in the order of adding, from 0. */
  readonly ordinal: number
  readonly score: number
}

export class Bm25Ranking {
  /** How often each term occurs in the query. */
  readonly #times: readonly number[]
  readonly #index: ReadonlyMap<string, number>
  readonly #textsWith: number[]
  readonly #matches: { readonly ordinal: number; readonly terms: number; readonly counts: Uint32Array }[] = []
  /** A word's index among the query's terms; `otherTerm` for other terms, `noTerm` for stop words. */
  readonly #known = new Map<string, number>()
  #added = 0
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

  /** True when the text has a term of the query. */
  add(text: string): boolean {
    const ordinal = this.#added++
    let terms = 0
    let counts: Uint32Array | undefined
    for (const word of wordsOf(text)) {
      const place = this.#placeOf(word)
      if (place === noTerm) continue
      terms++
      if (place === otherTerm) continue
      counts ??= new Uint32Array(this.#times.length)
      counts[place]!++
    }
    if (terms > 0) this.#texts++
    this.#terms += terms
    if (!counts) return false
    for (const [place, count] of counts.entries()) if (count > 0) this.#textsWith[place]!++
    this.#matches.push({ ordinal, terms, counts })
    return true
  }

  /** The texts that share a term with the query, best first; equal scores in order of adding. */
  ranked(): Ranked[] {
    const averageTerms = this.#terms / this.#texts
    const weights = this.#times.map((times, place) => {
      const n = this.#textsWith[place]!
      return times * Math.log(1 + (this.#texts - n + 0.5) / (n + 0.5))
    })
    return this.#matches
      .map(({ ordinal, terms, counts }) => {
        const norm = k1 * (1 - b + (b * terms) / averageTerms)
        let score = 0
        for (const [place, count] of counts.entries()) score += (weights[place]! * count) / (count + norm)
        return { ordinal, score }
      })
      .sort((one, other) => other.score - one.score || one.ordinal - other.ordinal)
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
