/** A chunk is a contiguous piece of a document under a hard token cap. Types only; see `chunk-document.ts`. */
import type { PositionMark } from '../documents/position.ts'

export interface Chunk {
  /** 0-based position in the whole document. */
  readonly ordinal: number
  readonly text: string
  /** Origin of the text: one range per source it touches, in order; UTF-8 bytes, end exclusive. */
  readonly ranges: readonly SourceRange[]
  /** Counted by the tokenizer used for chunking. */
  readonly tokens: number
}

export interface SourceRange {
  readonly source: string
  readonly startByte: number
  readonly endByte: number
  /** Positions within the range, ascending; the first is at its start. Undefined if the source has none. */
  readonly marks?: readonly PositionMark[] | undefined
}
