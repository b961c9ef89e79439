/** Where the statements of a memory and of an answer come from. JSON, so that checkpoints and stores keep them. */
import type { Position } from '../documents/position.ts'
import type { LineCount } from './source-text.ts'

/**
 * `found`: a passage says it, as far as words tell; that is no proof. `derived`: passages from which it follows by counting, adding,
 * subtracting or comparing. `not-found`: neither; it may still be true.
 */
export type Verdict = 'found' | 'derived' | 'not-found'

/** A passage of the text. */
export interface SourceQuote {
  /** As it stands there. */
  readonly quote: string
  /** Name of the source: a path, `standard input`, or a given name. */
  readonly file: string
  /** Text before it that names what it goes on about: "Anna Mott was born in Kell." before "She studied law." */
  readonly context?: string | undefined
  /** In the source's text; end exclusive. */
  readonly startByte: number
  readonly endByte: number
  /** Where the format or the lines say it. */
  readonly position?: Position | undefined
  /** Ordinal of the chunk that it was read in. */
  readonly step: number
}

export interface TracedStatement {
  readonly text: string
  /** The heading that it stands under. */
  readonly heading?: string | undefined
  /** Ordinal of the chunk after which it was written or last changed; undefined: before this reading, or unknown. */
  readonly step?: number | undefined
  readonly verdict: Verdict
  /** Empty for `not-found`. */
  readonly sources: readonly SourceQuote[]
  /** For `not-found`, passages that share words with it, if there are any: they do not say it, as far as words tell. */
  readonly nearest?: readonly SourceQuote[] | undefined
}

/** Of a finished reading. */
export interface Provenance {
  /** Statements of the answer; undefined without one. */
  readonly answer?: readonly TracedStatement[] | undefined
  /** Statements of the last memory. */
  readonly memory: readonly TracedStatement[]
}

/** What goes on with the reading. */
export interface ProvenanceState {
  /** Of the present memory. */
  readonly statements: readonly TracedStatement[]
  /** Passages of reports that wait to be merged into the memory. */
  readonly waiting: readonly SourceQuote[]
  readonly lines: LineCount
}

/** The passage as it is understood: behind what it goes on about. */
export const withContext = ({ quote, context }: Pick<SourceQuote, 'quote' | 'context'>): string =>
  context === undefined ? quote : `${context}\n${quote}`
