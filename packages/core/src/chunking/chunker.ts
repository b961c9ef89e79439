/** A chunk is a contiguous piece of a document under a hard token cap. Types only; see `chunk-document.ts`. */
import type { PositionMark } from '../documents/position.ts'

export interface Chunk {
  /** 0-based position in the whole document. */
  readonly ordinal: number
  readonly text: string
  /** Where the text comes from: one range per source it touches, in order; UTF-8 bytes, end exclusive. */
  readonly ranges: readonly SourceRange[]
  /** By the tokenizer used for chunking. */
  readonly tokens: number
}

export interface SourceRange {
  readonly source: string
  readonly startByte: number
  readonly endByte: number
  /** Where positions begin in the range, ascending; the first at its start. Undefined when the source has none. */
  readonly marks?: readonly PositionMark[] | undefined
}
