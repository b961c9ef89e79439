/**
 * Cuts a document into chunks under a hard token cap, as a stream.
 *
 * `natural`: a chunk ends as late as possible under the cap: at the end of a paragraph if that leaves the chunk at least
 * two thirds full, otherwise of a sentence or line, otherwise of a word, otherwise between any two characters.
 * `exact`: every chunk but the last has exactly `maxTokens` tokens of the document's own tokenization, as the paper cuts
 * (arXiv 2507.02259). If a token ends inside a character, the cut is before the character; if the chunk on its own
 * would have more tokens than in the document, it is shortened.
 *
 * The concatenated chunks are the document. Only a single character of more tokens than the cap exceeds it. Text is
 * tokenized about twice: to find the cut, and to hold the finished chunk to the cap. A cut depends only on the text
 * around it, so reading can resume at any chunk.
 */
import type { TextDocument, TextPiece } from '../documents/document.ts'
import { afterText, type Position, type PositionMark } from '../documents/position.ts'
import { endOfPiece, utf8Length } from '../documents/utf-8.ts'
import { ConfigurationError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Chunk, SourceRange } from './chunker.ts'
import { contextCharacters, cutExactly } from './exact.ts'
import { cutNaturally } from './natural.ts'

export interface ChunkingOptions {
  /** Hard cap, counted by `tokenizer`. */
  readonly maxTokens: number
  /** @default 'natural' */
  readonly mode?: 'natural' | 'exact' | undefined
  readonly tokenizer: Tokenizer
  /** Resume after this many characters, with this ordinal, as recorded in a checkpoint after a chunk. */
  readonly startAt?: { readonly ordinal: number; readonly characters: number } | undefined
  readonly signal?: AbortSignal | undefined
}

/** Characters to look at for each token of a chunk: usually, and at most if tokens are longer. */
const charactersPerToken = 8
const mostCharactersPerToken = 64

/**
 * @throws ConfigurationError for a cap below 1; DocumentError from the document.
 */
export async function* chunkDocument(document: TextDocument, options: ChunkingOptions): AsyncIterable<Chunk> {
  const { maxTokens, tokenizer, mode = 'natural', startAt = { ordinal: 0, characters: 0 }, signal } = options
  if (!(Number.isInteger(maxTokens) && maxTokens >= 1)) {
    throw new ConfigurationError({
      code: 'chunking/cap',
      message: `A chunk cannot hold ${maxTokens} tokens; at least 1 is needed.`,
    })
  }
  const cut = mode === 'exact' ? cutExactly : cutNaturally
  const usualAhead = Math.max(256, maxTokens * charactersPerToken)
  const mostAhead = Math.max(256, maxTokens * mostCharactersPerToken)
  const buffer = new PieceBuffer()
  let ordinal = startAt.ordinal
  let skip = startAt.characters
  let ahead = usualAhead
  let before = ''
  const take = (length: number) => {
    before = (before + buffer.text(length)).slice(-contextCharacters)
    buffer.drop(length)
  }
  const pieces = document.open(signal)[Symbol.asyncIterator]()
  let isEnd = false
  let isPaused = false
  try {
    for (;;) {
      while (!isEnd && !isPaused && (skip > 0 || buffer.length < ahead)) {
        signal?.throwIfAborted()
        const next = await pieces.next()
        if (next.done) isEnd = true
        else buffer.push(next.value)
        const skipped = Math.min(skip, buffer.length)
        if (skipped > 0) take(skipped)
        skip -= skipped
        isPaused = next.value?.isPause === true && buffer.length > 0
      }
      if (buffer.length === 0) return
      signal?.throwIfAborted()
      const window = buffer.text(ahead)
      const isLast = (isEnd || isPaused) && window.length === buffer.length
      // All of it fits and there is more text: look further, but not without bound.
      const isFarthest = isLast || ahead >= mostAhead
      const found = await cut({ window, before, isLast: isFarthest }, maxTokens, tokenizer)
      if (!found) {
        ahead = Math.min(ahead * 2, mostAhead)
        continue
      }
      const { length, tokens } = found
      yield { ordinal: ordinal++, text: window.slice(0, length), ranges: buffer.rangesOf(length), tokens }
      take(length)
      isPaused &&= buffer.length > 0
      ahead = usualAhead
    }
  } finally {
    await pieces.return?.()
  }
}

/** Text read but not cut yet, with its source ranges. */
class PieceBuffer {
  length = 0
  #pieces: TextPiece[] = []
  /** Characters of the first piece already taken, and their bytes. */
  #used = 0
  #usedBytes = 0
  /** Position of the text not taken yet. */
  #known: KnownPosition = {}

  push(piece: TextPiece): void {
    if (piece.text === '') return
    this.#pieces.push(piece)
    this.length += piece.text.length
  }

  /** The first characters, at most `limit`, never ending inside a surrogate pair. */
  text(limit: number): string {
    let text = ''
    for (const [i, piece] of this.#pieces.entries()) {
      const from = i === 0 ? this.#used : 0
      text += piece.text.slice(from, from + limit + 1 - text.length)
      if (text.length > limit) break
    }
    return text.slice(0, endOfPiece(text, limit))
  }

  /** Byte ranges of the first `length` characters, one for each run of one source, with their positions. */
  rangesOf(length: number): SourceRange[] {
    const ranges: { source: string; startByte: number; endByte: number; marks?: PositionMark[] }[] = []
    let known = this.#known
    let rest = length
    for (const [i, piece] of this.#pieces.entries()) {
      if (rest <= 0) break
      const from = i === 0 ? this.#used : 0
      const taken = Math.min(rest, piece.text.length - from)
      const startByte = piece.offsetBytes + (i === 0 ? this.#usedBytes : 0)
      const endByte = endOf(piece, from, taken, startByte)
      const last = ranges.at(-1)
      const continues = last?.source === piece.source && last.endByte === startByte
      known = knownAt(piece, from, known)
      if (continues) last.endByte = endByte
      else ranges.push({ source: piece.source, startByte, endByte })
      if (known.position && (!continues || (from === 0 && piece.position))) {
        const range = ranges.at(-1)!
        range.marks ??= []
        range.marks.push({ byte: startByte, position: known.position })
      }
      known = behind(known, piece, from, taken)
      rest -= taken
    }
    return ranges
  }

  drop(length: number): void {
    let rest = length
    while (rest > 0) {
      const piece = this.#pieces[0]!
      const taken = Math.min(rest, piece.text.length - this.#used)
      this.#known = behind(knownAt(piece, this.#used, this.#known), piece, this.#used, taken)
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
  }
}

interface KnownPosition {
  readonly source?: string
  readonly position?: Position | undefined
}

function knownAt({ source, position }: TextPiece, from: number, before: KnownPosition): KnownPosition {
  if (from === 0 && position) return { source, position }
  return before.source === source ? before : { source }
}

const behind = ({ source, position }: KnownPosition, piece: TextPiece, from: number, taken: number) => ({
  source: source!,
  position: position && afterText(position, piece.text.slice(from, from + taken)),
})

/** A piece's last byte is known; positions inside it are counted in the source's encoding. */
function endOf(piece: TextPiece, from: number, taken: number, startByte: number): number {
  if (from + taken === piece.text.length) return piece.offsetBytes + piece.lengthBytes
  if (piece.bytesPerCodeUnit) return startByte + taken * piece.bytesPerCodeUnit
  return startByte + utf8Length(piece.text.slice(from, from + taken))
}
