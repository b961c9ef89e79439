/** A document is a stream of bytes that becomes text with offsets; it is never held whole. Types only. */
import type { Position } from './position.ts'

/** A piece of text, in order. The concatenated pieces of a source are its text; an empty source has one empty piece. */
export interface TextPiece {
  readonly text: string
  /** Name of the source of this piece: a path, `standard input`, or a given name. */
  readonly source: string
  /** Offset of the piece's first byte in its source, before decoding. A byte order mark is in no piece. */
  readonly offsetBytes: number
  readonly lengthBytes: number
  /** Set for sources in UTF-16; others are UTF-8. */
  readonly bytesPerCodeUnit?: 2
  /**
   * Where the piece begins. Holds until a later piece of the source has another; `line` grows with every line break. Undefined if
   * it continues the text before it in this source.
   */
  readonly position?: Position | undefined
  /** Nothing more follows for now: the text so far is to be read, however short. Such a piece has no text. */
  readonly isPause?: true
  /** With `isPause`: how much text is there already and follows later, in UTF-16 code units. @default 0 */
  readonly heldBack?: number
  /** Something could not be read. Such a piece has no text, and says nothing else about its source. */
  readonly unread?: Unread | undefined
}

export interface Unread {
  /** A whole source, or a part of one: a page, an entry of an archive. */
  readonly code: 'source-skipped' | 'source-part-unread'
  /** What could not be read, and why. */
  readonly message: string
}

export interface TextDocument {
  /** For people: file names, `standard input`. */
  readonly name: string
  /** Total bytes of its pieces, if known in advance, for progress, estimates, and what was left unread. */
  readonly sizeBytes?: number | undefined
  /**
   * Byte offsets at which the texts of the document begin, ascending; undefined when it is a single text or this is
   * unknown. Retrieval never shows a passage that spans two texts.
   */
  readonly textStarts?: readonly number[] | undefined
  /** False when it can be opened only once, such as standard input. */
  readonly isReopenable: boolean
  /** It contains only what comes after the text read before, like a log on standard input: nothing is skipped. */
  readonly isLive?: true
  /** It may hold another text by now than when it got its fingerprint, like a log that was rotated. */
  readonly canChange?: true
  /** Opens the text from the start. @throws DocumentError */
  open(signal?: AbortSignal): AsyncIterable<TextPiece>
  /** Stable identity for checkpoints, from the content and not its names; undefined if it cannot be known. */
  fingerprint?(signal?: AbortSignal): Promise<string>
}
