/** A document is a stream of bytes that becomes text with offsets; it is never held whole. Types only. */
import type { Position } from './position.ts'

/** A piece of text, in order. The concatenated pieces of a source are its text; an empty source has one empty piece. */
export interface TextPiece {
  readonly text: string
  /** Name of the source this piece comes from: a path, `standard input`, or a given name. */
  readonly source: string
  /** Byte offset of the piece's first byte in its source, before decoding. A byte order mark is in no piece. */
  readonly offsetBytes: number
  readonly lengthBytes: number
  /** Set for sources in UTF-16; others are UTF-8. */
  readonly bytesPerCodeUnit?: 2
  /**
   * Where the piece begins; holds until a piece of the source says another, and `line` grows with every line break.
   * Undefined: as the text before it in this source.
   */
  readonly position?: Position | undefined
  /** Nothing more comes for now: what came before is to be read, however short. Such a piece has no text. */
  readonly isPause?: true
  /** Of a piece without text, which says nothing else of its source: something could not be read. */
  readonly unread?: Unread | undefined
}

export interface Unread {
  /** All of a source given, or a part of one: a page, an entry of an archive. */
  readonly code: 'source-skipped' | 'source-part-unread'
  /** Which, and why. */
  readonly message: string
}

export interface TextDocument {
  /** Shown to people: file names, `standard input`. */
  readonly name: string
  /** Total bytes, if known beforehand (for progress and estimates). */
  readonly sizeBytes?: number | undefined
  /**
   * Byte offsets at which the texts of the document begin, ascending; undefined when it is a single text or this is
   * unknown. Retrieval never shows a passage that spans two texts.
   */
  readonly textStarts?: readonly number[] | undefined
  /** False when it can be opened only once, such as standard input. */
  readonly isReopenable: boolean
  /** It gives only what comes after the text that was read before, as a log on standard input does: nothing is skipped. */
  readonly isLive?: true
  /** Opens the text from the start. @throws DocumentError */
  open(signal?: AbortSignal): AsyncIterable<TextPiece>
  /** Stable identity for checkpoints, of the content and not of its names; undefined when it cannot be known. */
  fingerprint?(signal?: AbortSignal): Promise<string>
}
