/** The sentences of some sections, for finding those that share words with a statement. */
import { weightOf } from './pairing.ts'
import { sentencesOf } from './sentences.ts'
import { rowsIn } from './tables.ts'
import type { Token } from './token.ts'
import { type TokenText, tokenText } from './token-text.ts'
import { tokensOf } from './tokens.ts'
import { keysLike } from './words/lookup.ts'

/** A run of sentences of one section. */
export interface PassageSpan {
  /** Number of the section, in the order of adding. */
  readonly section: number
  /** In code units of the section. */
  readonly start: number
  readonly end: number
  /** Start of the sentence that names the passage's subject; undefined if the passage names it itself. */
  readonly from?: number | undefined
  /** For a row: the names of its columns. */
  readonly header?: string | undefined
}

interface Sentence extends PassageSpan {
  readonly tokens: readonly Token[]
}

/** The most sentences examined for one word: a more frequent word says little. */
const mostPostings = 400

export class PassageIndex {
  readonly #sentences: Sentence[] = []
  readonly #postings = new Map<string, number[]>()
  readonly #names = new Set<string>()
  readonly #windows = new Map<string, TokenText | undefined>()
  readonly #nameKeys = new Set<string>()
  #sections = 0

  /** @returns the number of the section */
  add(text: string): number {
    const section = this.#sections++
    this.#windows.clear()
    const sentences = sentencesOf(text)
    const rows = rowsIn(text, sentences)
    for (const [at, { start, end }] of sentences.entries()) {
      const ordinal = this.#sentences.length
      const row = rows.get(at)
      const tokens =
        row?.tokens ??
        tokensOf(text.slice(start, end)).map((token) => ({
          ...token,
          start: token.start + start,
          end: token.end + start,
        }))
      this.#sentences.push({ section, start, end, tokens, header: row?.header })
      const keys = new Set(tokens.flatMap(keysOf))
      for (const key of keys) {
        const found = this.#postings.get(key)
        if (!found) this.#postings.set(key, [ordinal])
        else if (found.length < mostPostings) found.push(ordinal)
      }
      this.learnNames(tokens)
    }
    return section
  }

  /** Records names, and which words precede them. */
  learnNames(tokens: readonly Token[]): void {
    for (const [i, { key, kind, gap }] of tokens.entries()) {
      const before = tokens[i - 1]
      if (kind === 'name') this.#nameKeys.add(key)
      if (before && kind === 'name' && gap === ' ' && (before.kind === 'name' || before.kind === 'word'))
        this.#names.add(`${before.key} ${key}`)
    }
  }

  /** A capitalized word at the start of a statement is a name if the text has it as one within sentences. */
  withNames(tokens: readonly Token[]): readonly Token[] {
    return tokens.map((token) =>
      token.kind === 'word' && token.isFirst && token.isCapital && this.#nameKeys.has(token.key)
        ? { ...token, kind: 'name' as const }
        : token,
    )
  }

  get length(): number {
    return this.#sentences.length
  }

  sentence(ordinal: number): Sentence {
    return this.#sentences[ordinal]!
  }

  spanOf(ordinal: number): PassageSpan {
    const { section, start, end, header } = this.sentence(ordinal)
    return { section, start, end, header }
  }

  beginsWith({ section, start }: PassageSpan, word: string): boolean {
    const sentence = this.#sentences.find((one) => one.section === section && one.start === start)
    return sentence?.tokens[0]?.word === word
  }

  /** Whether the two names are adjacent somewhere. */
  readonly knows = (one: string, other: string): boolean => this.#names.has(`${one} ${other}`)

  /** Sentences with most of the tokens, by weight; among equals, those with most of the context, then the first. */
  search(tokens: readonly Token[], most: number, context: readonly Token[] = []): number[] {
    const scores = new Map<number, number>()
    for (const token of tokens) {
      const weight = weightOf(token)
      if (weight === 0) continue
      for (const ordinal of this.#with(token)) scores.set(ordinal, (scores.get(ordinal) ?? 0) + weight)
    }
    for (const token of context) {
      for (const ordinal of this.#with(token)) {
        const score = scores.get(ordinal)
        if (score !== undefined) scores.set(ordinal, score + weightOf(token) / 100)
      }
    }
    return [...scores]
      .sort(([one, ofOne], [other, ofOther]) => ofOther - ofOne || one - other)
      .slice(0, most)
      .map(([ordinal]) => ordinal)
  }

  #with(token: Token): ReadonlySet<number> {
    const others = token.kind === 'name' || token.kind === 'word' ? keysLike(token.key) : []
    const keys = [...keysOf(token), ...others]
    return new Set(keys.flatMap((key) => this.#postings.get(key) ?? []))
  }

  /** A run of sentences, inclusive; undefined if there is none or it leaves the section. Cached. */
  window(first: number, last: number): TokenText | undefined {
    const name = `${first}:${last}`
    if (!this.#windows.has(name)) this.#windows.set(name, this.#made(first, last))
    return this.#windows.get(name)
  }

  #made(first: number, last: number): TokenText | undefined {
    const [from, to] = [this.#sentences[first], this.#sentences[last]]
    if (!from || !to || from.section !== to.section) return undefined
    const run = this.#sentences.slice(first, last + 1)
    // One row says nothing about another.
    if (run.length > 1 && run.some(({ header }) => header !== undefined)) return undefined
    return tokenText(
      run.flatMap(({ tokens }) =>
        tokens.map((token, i) => (i === 0 ? { ...token, gap: '\n', isFirst: true } : token)),
      ),
      run.flatMap(({ tokens }, i) => tokens.map(() => first + i)),
    )
  }
}

function keysOf(token: Token): string[] {
  const { kind, word, key, values = [], units = [] } = token
  if (kind === 'function') return []
  const time = /^(?:time|half-day):(\d+)/.exec(key)
  if (time) return [`time${Number(time[1]) % 720}`]
  if (kind !== 'number') return word.length >= 5 ? [key, `^${word.slice(0, 5)}`] : [key]
  return values.flatMap((value) => [
    `n${Number(value.toPrecision(9))}`,
    ...units.map((unit) => `u${unit.kind}${Number((value * unit.factor).toPrecision(9))}`),
  ])
}
