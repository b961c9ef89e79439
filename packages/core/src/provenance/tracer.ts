/**
 * Follows a reading, and keeps the source passage of each statement of the current memory. It is looked for in the chunks of the
 * step that wrote or changed the statement, and in the passages of the memory before it. A statement that leaves the memory
 * takes its passages with it, so the state does not grow with the text.
 */
import type { Chunk } from '../chunking/chunker.ts'
import { derivationOf } from './derive.ts'
import { nearestTo } from './nearest.ts'
import { PassageIndex, type PassageSpan } from './passage-index.ts'
import {
  type Provenance,
  type ProvenanceState,
  type SourceQuote,
  type TracedStatement,
  type Verdict,
  withContext,
} from './provenance.ts'
import { LineCounter, placeOf, type SourceText, sourceTexts } from './source-text.ts'
import { type Statement, statementsOf } from './statements.ts'
import { statementTokens, supportOf } from './support.ts'
import { tokensOf } from './tokens.ts'

/** The most passages of one statement; a count of hundreds keeps the last ones. */
const mostSources = 16
/** The most passages of reports not merged yet. */
const mostWaiting = 500
const longestContext = 700

interface Section {
  readonly source: SourceText
  readonly step: number
}

export class Tracer {
  #statements: readonly TracedStatement[]
  #waiting: readonly SourceQuote[]
  readonly #lines: LineCounter
  /** Sections of the current step, which may have several chunks. */
  #sections: Section[] = []

  readonly #question: string

  /**
   * @param question the topic of the memory: chooses among passages that all say a statement
   * @param state where the reading left off. @default none: the reading begins
   */
  constructor(question = '', state?: ProvenanceState) {
    this.#question = question
    this.#statements = state?.statements ?? []
    this.#waiting = state?.waiting ?? []
    this.#lines = new LineCounter(state?.lines)
  }

  /** JSON; in proportion to the memory, however long the text is. */
  get state(): ProvenanceState {
    return { statements: this.#statements, waiting: this.#waiting, lines: this.#lines.state }
  }

  /** Statements of the current memory, even of one that was not traced. */
  statementsOf(memory: string): readonly TracedStatement[] {
    const known = new Map(this.#statements.map((statement) => [keyOf(statement), statement]))
    return statementsOf(memory).map((statement) => known.get(keyOf(statement)) ?? unobserved(statement))
  }

  /** Of the current memory, and of an answer from it. */
  provenanceOf(memory: string, answer?: string): Provenance {
    const ofMemory = this.statementsOf(memory)
    return { memory: ofMemory, ...(answer !== undefined && { answer: this.traceAnswer(answer) }) }
  }

  addChunk(chunk: Chunk): void {
    for (const part of sourceTexts(chunk)) {
      this.#sections.push({ source: this.#lines.count(part), step: chunk.ordinal })
    }
  }

  /** Adds the notes on one chunk of this step, which are merged into the memory later. */
  addReport(step: number, report: string): void {
    const search = new Search(
      [],
      this.#sections.filter((section) => section.step === step),
      this.#question,
    )
    const news = report.replace(/^[^\p{L}\p{N}]*(?:yes|no)(?![\p{L}\p{N}])[^\p{L}\p{N}]*/iu, '')
    const found = statementsOf(news).flatMap((statement) => passagesOf(search.trace(statement, step)))
    this.#waiting = [...this.#waiting, ...found].slice(-mostWaiting)
  }

  /**
   * Traces the memory after a step.
   * @param before the memory before it, for statements that the reading began with
   * @returns the statements that the step wrote or changed
   */
  addMemory(step: number, memory: string, before: string): readonly TracedStatement[] {
    const written: TracedStatement[] = []
    const known = new Map(this.#statements.map((statement) => [keyOf(statement), statement]))
    for (const given of this.#statements.length === 0 ? statementsOf(before) : []) {
      known.set(keyOf(given), unobserved(given))
    }
    let search: Search | undefined
    this.#statements = statementsOf(memory).map((statement) => {
      const same = known.get(keyOf(statement))
      if (same) return same
      search ??= new Search(
        [...passagesOfAll(this.#statements), ...this.#waiting],
        this.#sections,
        this.#question,
      )
      const traced = search.trace(statement, step)
      written.push(traced)
      return traced
    })
    if (memory !== before) this.#waiting = []
    return written
  }

  /** Call when the step's chunks are no longer needed. */
  endStep(): void {
    this.#sections = []
  }

  /** Statements of an answer written from the current memory; `step` is that of the statement it rests on. */
  traceAnswer(answer: string): readonly TracedStatement[] {
    const traced = this.#statements.filter(({ verdict }) => verdict !== 'not-found')
    const known = new Map(traced.map((statement) => [keyOf({ text: statement.text }), statement]))
    const search = new Search(passagesOfAll(this.#statements), [], this.#question)
    for (const { text } of traced) search.learnNames(text)
    return statementsOf(answer).flatMap((statement) => {
      const same = known.get(keyOf({ text: statement.text }))
      if (same) return { ...same, text: statement.text }
      const values = valuesOf(statement.text)
      if (values) return values.map((text) => search.trace({ text }))
      const whole = search.trace(statement)
      const items = statement.text
        .split(
          /\s*(?:[;、，]|(?<!\d),|,(?!\d)|,(?=\d{4})|(?<=\d{4}),(?=\d{3})|\sand\s|\sund\s|\set\s|\sy\s)\s*/u,
        )
        .filter((item) => /[\p{L}\p{N}]/u.test(item))
      if (whole.verdict === 'found' || items.length < 2) return whole
      // A list may take its items from several places.
      const traced = items.map((text) => search.trace({ text }))
      return traced.every(({ verdict }) => verdict === 'found') ? traced : whole
    })
  }
}

const mostWordsOfValue = 6

/**
 * Splits a list with semicolons, as asked for by questions about several values: each value is traced by itself, so that a
 * passage for most of them does not pass for all. Undefined for clauses, which depend on each other.
 */
function valuesOf(text: string): readonly string[] | undefined {
  const values = text.split(/\s*[;；]\s*/u).filter((value) => /[\p{L}\p{N}]/u.test(value))
  const isShort = (value: string) => value.split(/\s+/).length <= mostWordsOfValue
  return values.length > 1 && values.every(isShort) ? values : undefined
}

const unobserved = (statement: Statement): TracedStatement => ({
  ...statement,
  verdict: 'not-found',
  sources: [],
})

/** Ignores case and spaces, which a rewrite may change. */
const keyOf = ({ text, heading }: Statement): string =>
  `${heading ?? ''}\n${text}`.replace(/[ \t]+/g, ' ').toLowerCase()

/** Passages that say it or come near. */
const passagesOf = ({ sources, nearest = [] }: TracedStatement) => [...sources, ...nearest]

/** Passages of all statements, without duplicates. */
function passagesOfAll(statements: readonly TracedStatement[]): SourceQuote[] {
  const all = statements.flatMap(passagesOf)
  return [...new Map(all.map((one) => [`${one.file}\n${one.startByte}\n${one.endByte}`, one])).values()]
}

/** Searches the passages of some quotes and sections. */
class Search {
  readonly #index = new PassageIndex()
  readonly #quotes: readonly SourceQuote[]
  readonly #sections: readonly Section[]
  readonly #question: ReturnType<typeof statementTokens>

  constructor(quotes: readonly SourceQuote[], sections: readonly Section[], question: string) {
    this.#quotes = quotes
    this.#sections = sections
    this.#question = statementTokens(question)
    // What was just read comes first: among passages that say the same, the statement was written from this one.
    for (const { source } of sections) this.#index.add(source.text)
    for (const quoted of quotes) this.#index.add(withContext(quoted))
  }

  /** Takes names from a statement that the text supports, even if the passages use others. */
  learnNames(text: string): void {
    this.#index.learnNames(tokensOf(text))
  }

  trace(statement: Statement, step?: number): TracedStatement {
    const tokens = statementTokens(statement.text)
    const context = [...statementTokens(statement.heading ?? ''), ...this.#question]
    const found = supportOf(tokens, this.#index, context)
    const support = found ?? derivationOf(tokens, this.#index)
    const verdict: Verdict = found ? 'found' : support ? 'derived' : 'not-found'
    const sources = (support?.passages ?? []).slice(-mostSources).map((span) => this.#quoteAt(span))
    const nearest = support ? [] : nearestTo(tokens, this.#index).map((span) => this.#quoteAt(span))
    return {
      ...statement,
      ...(step === undefined ? {} : { step }),
      verdict,
      sources,
      ...(nearest.length > 0 && { nearest }),
    }
  }

  #quoteAt({ section, start, end, from = start, header }: PassageSpan): SourceQuote {
    const read = this.#sections[section]
    if (!read) return partOf(this.#quotes[section - this.#sections.length]!, start, end)
    const { source, step } = read
    const { position, ...bytes } = placeOf(source, start, end)
    // Without an encoding, only the whole part has a range.
    const quote = source.bytesOf ? source.text.slice(start, end) : source.text
    const before = header ?? (from < start ? source.text.slice(from, start).trim() : '')
    const context = before.slice(0, longestContext)
    return {
      quote,
      ...(context !== '' && { context }),
      file: source.range.source,
      ...bytes,
      ...(position && { position }),
      step,
    }
  }
}

/** A part of a quoted passage, or the whole if the part is in its context. */
function partOf(quoted: SourceQuote, from: number, to: number): SourceQuote {
  const { quote, context, file, startByte, endByte, position, step } = quoted
  const before = context === undefined ? 0 : context.length + 1
  const [start, end] = [from - before, to - before]
  if (start <= 0 && end >= quote.length) return quoted
  const [source] = sourceTexts({ text: quote, ranges: [{ source: file, startByte, endByte }] })
  if (start < 0 || !source?.bytesOf) return quoted
  const place = placeOf({ ...source, position }, start, end)
  return { quote: quote.slice(start, end), ...(context && { context }), file, step, ...place }
}
