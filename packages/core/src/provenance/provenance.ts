/** Where the statements of a memory and an answer come from. JSON, so that checkpoints and stores can keep it. */
import type { Position } from '../documents/position.ts'
import type { LineCount } from './source-text.ts'

/**
 * `found`: a passage says it, as far as words tell, which is no proof. `derived`: it follows from passages by counting, adding,
 * subtracting or comparing. `not-found`: neither, though it may still be true.
 */
export type Verdict = 'found' | 'derived' | 'not-found'

/** A passage of the text. */
export interface SourceQuote {
  /** Verbatim. */
  readonly quote: string
  /** Name of the source: a path, `standard input`, or a given name. */
  readonly file: string
  /** Earlier text that names its subject: "Anna Mott was born in Kell." before "She studied law." */
  readonly context?: string | undefined
  /** In the source's text; end exclusive. */
  readonly startByte: number
  readonly endByte: number
  /** If the format or the lines give it. */
  readonly position?: Position | undefined
  /** Ordinal of the chunk that it was read in. */
  readonly step: number
}

export interface TracedStatement {
  readonly text: string
  /** The heading above it. */
  readonly heading?: string | undefined
  /** Ordinal of the chunk after which it was written or last changed; undefined if before this reading, or unknown. */
  readonly step?: number | undefined
  readonly verdict: Verdict
  /** Empty if `not-found`. */
  readonly sources: readonly SourceQuote[]
  /** If `not-found`, passages that share words with it, if any. As far as words tell, they do not say it. */
  readonly nearest?: readonly SourceQuote[] | undefined
}

/** For a finished reading. */
export interface Provenance {
  /** Statements of the answer; undefined without one. */
  readonly answer?: readonly TracedStatement[] | undefined
  /** Statements of the last memory. */
  readonly memory: readonly TracedStatement[]
}

/** The state that a reading carries on. */
export interface ProvenanceState {
  /** Statements of the current memory. */
  readonly statements: readonly TracedStatement[]
  /** Passages of reports that are not merged into the memory yet. */
  readonly waiting: readonly SourceQuote[]
  readonly lines: LineCount
}

/** The passage as it is to be understood: after the text that names its subject. */
export const withContext = ({ quote, context }: Pick<SourceQuote, 'quote' | 'context'>): string =>
  context === undefined ? quote : `${context}\n${quote}`
