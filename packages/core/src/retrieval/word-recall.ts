/**
 * Word recall, by which ReMemR1 recalls old memories (arXiv 2509.23040, section 3.2): how many of a query's distinct terms a text
 * has, however often and however long it is. Unlike in BM25, other texts do not count: versions of one note share most of their
 * words, so they do not show which words are rare.
 */
import { termOf, wordsOf } from './search-terms.ts'

export const termsOf = (text: string): ReadonlySet<string> =>
  new Set(wordsOf(text).flatMap((word) => termOf(word) ?? []))

/** Texts in the order of adding; the oldest may be forgotten. A search looks only at texts that share a term. */
export class WordRecall {
  /** Ordinals of the texts with each term, in order. */
  readonly #textsWith = new Map<string, number[]>()
  #length = 0
  #first = 0
  #forgotten = 0

  /** Texts ever added. */
  get length(): number {
    return this.#length
  }

  add(text: string): void {
    const ordinal = this.#length++
    for (const term of termsOf(text)) {
      const ordinals = this.#textsWith.get(term)
      if (ordinals) ordinals.push(ordinal)
      else this.#textsWith.set(term, [ordinal])
    }
  }

  /** Texts before this ordinal are no longer found. */
  forgetBefore(ordinal: number): void {
    this.#first = Math.max(this.#first, ordinal)
    // Only now and then, so that forgetting costs no more than adding.
    if (2 * (this.#first - this.#forgotten) < this.#length - this.#forgotten) return
    this.#forgotten = this.#first
    for (const [term, ordinals] of this.#textsWith) {
      const kept = ordinals.filter((one) => one >= this.#first)
      if (kept.length > 0) this.#textsWith.set(term, kept)
      else this.#textsWith.delete(term)
    }
  }

  /**
   * Ordinals of the texts that share a term with the query, those with most of its terms first, the newest first among equals.
   */
  search(query: string): number[] {
    const found = new Map<number, number>()
    for (const term of termsOf(query)) {
      for (const ordinal of this.#textsWith.get(term) ?? []) {
        if (ordinal >= this.#first) found.set(ordinal, (found.get(ordinal) ?? 0) + 1)
      }
    }
    return [...found]
      .sort(([one, termsOfOne], [other, termsOfOther]) => termsOfOther - termsOfOne || other - one)
      .map(([ordinal]) => ordinal)
  }
}
