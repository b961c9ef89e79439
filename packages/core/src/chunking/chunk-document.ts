/**
 * Cuts a document into chunks under a hard token cap, as a stream.
 *
 * `natural`: a chunk ends as late as possible under the cap, at the end of a paragraph if that leaves the chunk at least
 * two thirds full, else of a sentence or line, else of a word, else anywhere between characters.
 * `exact`: every chunk but the last has exactly `maxTokens` tokens of the document's own tokenization, as the paper cuts
 * (arXiv 2507.02259); where a token ends inside a character, the cut is before the character.
 *
 * Put together, the chunks are the document. Text is tokenized about once: it is counted in small units that words never
 * cross, and only a finished chunk is counted as a whole.
 */
import type { Document, TextPiece } from '../documents/document.ts'
import { endOfPiece, utf8Length } from '../documents/text-document.ts'
import { ConfigurationError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Chunk, SourceRange } from './chunker.ts'
import { cutExactly } from './exact.ts'
import { cutNaturally } from './natural.ts'

export interface ChunkingOptions {
  /** Hard cap, by `tokenizer`. */
  readonly maxTokens: number
  /** @default 'natural' */
  readonly mode?: 'natural' | 'exact' | undefined
  readonly tokenizer: Tokenizer
  /** Go on behind this many characters, with this ordinal: what a checkpoint recorded after a chunk. */
  readonly startAt?: { readonly ordinal: number; readonly characters: number } | undefined
  readonly signal?: AbortSignal | undefined
}

/** Characters read ahead of a chunk: enough for any cap at eight characters a token. */
const charactersPerToken = 8

/**
 * @throws ConfigurationError for a cap below 1; DocumentError from the document.
 */
export async function* chunkDocument(document: Document, options: ChunkingOptions): AsyncIterable<Chunk> {
  const { maxTokens, tokenizer, mode = 'natural', startAt = { ordinal: 0, characters: 0 }, signal } = options
  if (!(Number.isInteger(maxTokens) && maxTokens >= 1)) {
    throw new ConfigurationError({
      code: 'chunking/cap',
      message: `A chunk cannot hold ${maxTokens} tokens; at least 1 is needed.`,
    })
  }
  const cut = mode === 'exact' ? cutExactly : cutNaturally
  const ahead = Math.max(256, maxTokens * charactersPerToken)
  const buffer = new PieceBuffer()
  let ordinal = startAt.ordinal
  let skip = startAt.characters
  const pieces = document.open(signal)[Symbol.asyncIterator]()
  let isEnd = false
  try {
    for (;;) {
      while (!isEnd && buffer.length - skip < ahead) {
        signal?.throwIfAborted()
        const next = await pieces.next()
        if (next.done) isEnd = true
        else buffer.push(next.value)
        if (skip > 0) skip -= buffer.drop(Math.min(skip, buffer.length))
      }
      if (buffer.length === 0) return
      const window = buffer.text(ahead)
      const isLast = isEnd && window.length === buffer.length
      const { length, tokens } = await cut(window, maxTokens, tokenizer, isLast)
      const ranges = buffer.rangesOf(length)
      yield { ordinal: ordinal++, text: window.slice(0, length), ranges, tokens }
      buffer.drop(length)
    }
  } finally {
    await pieces.return?.()
  }
}

/** Text read and not yet cut, with where it came from. */
class PieceBuffer {
  length = 0
  #pieces: TextPiece[] = []
  /** Characters of the first piece that are gone, and their bytes. */
  #used = 0
  #usedBytes = 0

  push(piece: TextPiece): void {
    if (piece.text === '') return
    this.#pieces.push(piece)
    this.length += piece.text.length
  }

  /** The first characters, at most `limit`, never ending inside a surrogate pair. */
  text(limit: number): string {
    let text = ''
    for (const [i, piece] of this.#pieces.entries()) {
      text += i === 0 ? piece.text.slice(this.#used) : piece.text
      if (text.length > limit) break
    }
    return text.slice(0, endOfPiece(text, limit))
  }

  /** Byte ranges of the first `length` characters, one a source in a row. */
  rangesOf(length: number): SourceRange[] {
    const ranges: { source: string; startByte: number; endByte: number }[] = []
    let rest = length
    for (const [i, piece] of this.#pieces.entries()) {
      if (rest <= 0) break
      const from = i === 0 ? this.#used : 0
      const taken = Math.min(rest, piece.text.length - from)
      const startByte = piece.offsetBytes + (i === 0 ? this.#usedBytes : 0)
      const endByte = endOf(piece, from, taken, startByte)
      const last = ranges.at(-1)
      if (last?.source === piece.source && last.endByte === startByte) last.endByte = endByte
      else ranges.push({ source: piece.source, startByte, endByte })
      rest -= taken
    }
    return ranges
  }

  drop(length: number): number {
    let rest = length
    while (rest > 0) {
      const piece = this.#pieces[0]!
      const taken = Math.min(rest, piece.text.length - this.#used)
      this.#usedBytes =
        endOf(piece, this.#used, taken, piece.offsetBytes + this.#usedBytes) - piece.offsetBytes
      this.#used += taken
      rest -= taken
      if (this.#used === piece.text.length) {
        this.#pieces.shift()
        this.#used = 0
        this.#usedBytes = 0
      }
    }
    this.length -= length
    return length
  }
}

/** A piece's last byte is known; inside it, bytes are those of its text in UTF-8. */
function endOf(piece: TextPiece, from: number, taken: number, startByte: number): number {
  if (from + taken === piece.text.length) return piece.offsetBytes + piece.lengthBytes
  return startByte + utf8Length(piece.text.slice(from, from + taken))
}
