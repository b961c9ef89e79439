/**
 * BM25 (Robertson et al., TREC-3, 1994) as Lucene computes it: k1 1.2, b 0.75, idf ln(1 + (N - n + 0.5) / (n + 0.5)), and
 * no factor k1 + 1, which would change no rank. Texts are added one by one and not kept: of each one that shares a word
 * with the question there remain a few numbers, so that any number of them can be ranked.
 *
 * Libraries of that kind hold an index of all words of all texts, for questions to come; here the question is there first.
 */

const k1 = 1.2
const b = 0.75

export interface Ranked {
  /** As it was added, from 0. */
  readonly ordinal: number
  readonly score: number
}

export class Bm25Ranking {
  /** Terms of the question, and how often it has them. */
  readonly #terms: ReadonlyMap<string, number>
  readonly #index: ReadonlyMap<string, number>
  readonly #textsWith: number[]
  readonly #matches: { readonly ordinal: number; readonly words: number; readonly counts: Uint32Array }[] = []
  #added = 0
  /** Texts with at least one word, and their words. */
  #texts = 0
  #words = 0

  constructor(question: string) {
    const terms = new Map<string, number>()
    for (const word of wordsOf(question)) terms.set(word, (terms.get(word) ?? 0) + 1)
    this.#terms = terms
    this.#index = new Map([...terms.keys()].map((term, i) => [term, i]))
    this.#textsWith = [...terms].map(() => 0)
  }

  /** True when the text has a word of the question. */
  add(text: string): boolean {
    const ordinal = this.#added++
    let words = 0
    let counts: Uint32Array | undefined
    for (const word of wordsOf(text)) {
      words++
      const term = this.#index.get(word)
      if (term === undefined) continue
      counts ??= new Uint32Array(this.#terms.size)
      counts[term]!++
    }
    if (words > 0) this.#texts++
    this.#words += words
    if (!counts) return false
    for (const [term, count] of counts.entries()) if (count > 0) this.#textsWith[term]!++
    this.#matches.push({ ordinal, words, counts })
    return true
  }

  /** The texts that share a word with the question, best first; of equals the earlier one first. */
  ranked(): Ranked[] {
    const averageWords = this.#words / this.#texts
    const weights = [...this.#terms.values()].map((times, term) => {
      const n = this.#textsWith[term]!
      return times * Math.log(1 + (this.#texts - n + 0.5) / (n + 0.5))
    })
    return this.#matches
      .map(({ ordinal, words, counts }) => {
        const norm = k1 * (1 - b + (b * words) / averageWords)
        let score = 0
        for (const [term, count] of counts.entries()) score += (weights[term]! * count) / (count + norm)
        return { ordinal, score }
      })
      .sort((one, other) => other.score - one.score || one.ordinal - other.ordinal)
  }
}

/** Scripts that put no space between words. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const anyUnspaced = new RegExp(`[${unspaced}]`, 'u')
const words = /[\p{L}\p{N}\p{M}_]+/gu
const wordsAndSigns = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+`, 'gu')

/** Words in lower case; of scripts without spaces, single signs. No word is left out, and none is stemmed. */
function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKC').toLowerCase()
  return plain.match(anyUnspaced.test(plain) ? wordsAndSigns : words) ?? []
}
