/** A document is a stream of bytes that becomes text with offsets; it is never held whole. Types only. */

/** A piece of text in order. Pieces of one source put together are the source's text; that of an empty source is empty. */
export interface TextPiece {
  readonly text: string
  /** Name of the source this piece comes from: a path, `standard input`, or a given name. */
  readonly source: string
  /** Byte offset of the piece's first byte in its source, before decoding. A byte order mark belongs to no piece. */
  readonly offsetBytes: number
  readonly lengthBytes: number
  /** Of sources in UTF-16; others are UTF-8. */
  readonly bytesPerCodeUnit?: 2
}

export interface TextDocument {
  /** Shown to people: file name(s), `standard input`. */
  readonly name: string
  /** Total bytes where known beforehand (progress and estimates). */
  readonly sizeBytes?: number | undefined
  /**
   * Bytes at which the texts begin that the document is made of, ascending; undefined where it is one, or nobody knows.
   * Retrieval shows no passage of two.
   */
  readonly textStarts?: readonly number[] | undefined
  /** False for standard input: it can be opened once. */
  readonly isReopenable: boolean
  /** Opens the text from the start. @throws DocumentError */
  open(signal?: AbortSignal): AsyncIterable<TextPiece>
  /** Stable identity for checkpoints, of the content and not of its names; undefined if none can be known. */
  fingerprint?(signal?: AbortSignal): Promise<string>
}
