/**
 * Passages of a document, for retrieval. They overlap by half: each is two adjacent pieces, cut on natural boundaries, so
 * that whatever a cut splits is whole in one of them. No passage crosses the border between two texts of a document.
 * Selected passages are shown as their pieces, each once.
 */
import type { WindowBudget } from '../chat/profile.ts'
import { chunkDocument } from '../chunking/chunk-document.ts'
import type { TextDocument } from '../documents/document.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { type ByteRange, rangeOf } from './byte-ranges.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Half a passage. The concatenated pieces are the document. */
export interface Piece extends ByteRange {
  readonly ordinal: number
  /** Offset in the document's text. */
  readonly startCharacter: number
  readonly endCharacter: number
  /** Counted as it will appear in a prompt. */
  readonly tokens: number
}

export interface PieceText extends Piece {
  readonly text: string
}

export interface Passage<P extends Piece = Piece> {
  readonly ordinal: number
  /** Two consecutive pieces, or one if a text has no more. */
  readonly pieces: readonly P[]
}

/** Default tokens per passage: half a passage holds a sentence, and none is longer than embedding models accept. */
export const passageTokensOf = ({ chunk }: Pick<WindowBudget, 'chunk'>): number =>
  Math.max(48, Math.min(256, Math.floor(chunk / 4)))

export const textOf = ({ pieces }: Passage<PieceText>): string => pieces.map(({ text }) => text).join('')

export interface PassageOptions {
  readonly maxTokens: number
  readonly tokenizer: Tokenizer
  readonly signal?: AbortSignal | undefined
}

/** The document's passages in order, as a stream. @throws DocumentError, TokenizerError */
export async function* passagesOf(
  document: TextDocument,
  { maxTokens, ...options }: PassageOptions,
): AsyncGenerator<Passage<PieceText>> {
  const borders = new Set(document.textStarts)
  let ordinal = 0
  let last: PieceText | undefined
  /** Whether the last piece is in a passage. */
  let isShown = true
  for await (const piece of piecesOf(document, {
    maxTokens: Math.max(1, Math.floor(maxTokens / 2)),
    ...options,
  })) {
    if (last && !borders.has(piece.startByte)) {
      yield { ordinal: ordinal++, pieces: [last, piece] }
      isShown = true
    } else {
      if (last && !isShown) yield { ordinal: ordinal++, pieces: [last] }
      isShown = false
    }
    last = piece
  }
  if (last && !isShown) yield { ordinal: ordinal++, pieces: [last] }
}

/** Pieces of at most `maxTokens` tokens, each from one text. */
async function* piecesOf(document: TextDocument, options: PassageOptions): AsyncGenerator<PieceText> {
  const { tokenizer } = options
  const borders = document.textStarts ?? []
  let next = 0
  let ordinal = 0
  let startCharacter = 0
  for await (const chunk of chunkDocument(document, options)) {
    let { startByte, endByte } = rangeOf(chunk)
    let { text, tokens } = chunk
    while (next < borders.length && borders[next]! <= startByte) next++
    for (; next < borders.length && borders[next]! < endByte; next++) {
      const border = borders[next]!
      const before = decoder.decode(encoder.encode(text).subarray(0, border - startByte))
      const endCharacter = startCharacter + before.length
      const ownTokens = await tokenizer.count(before)
      yield {
        ordinal: ordinal++,
        text: before,
        tokens: ownTokens,
        startCharacter,
        endCharacter,
        startByte,
        endByte: border,
      }
      text = text.slice(before.length)
      tokens = await tokenizer.count(text)
      startCharacter = endCharacter
      startByte = border
    }
    const endCharacter = startCharacter + text.length
    yield { ordinal: ordinal++, text, tokens, startCharacter, endCharacter, startByte, endByte }
    startCharacter = endCharacter
  }
}

/**
 * The pieces of the best passages that fit, in document order. Selection stops at the first passage that does not fit, so that no
 * worse one replaces a better one.
 * @param ranked best first @param gapTokens tokens between pieces that are not adjacent
 * @param most passages. @default no limit
 */
export function bestThatFit<P extends Piece>(
  ranked: readonly Passage<P>[],
  roomTokens: number,
  gapTokens: number,
  most = Number.POSITIVE_INFINITY,
): P[] {
  const chosen = new Map<number, P>()
  let tokens = -gapTokens
  for (const { pieces } of ranked.slice(0, most)) {
    const added: number[] = []
    for (const piece of pieces) {
      if (chosen.has(piece.ordinal)) continue
      const neighbours = [piece.ordinal - 1, piece.ordinal + 1].filter((ordinal) => chosen.has(ordinal))
      tokens += piece.tokens + (1 - neighbours.length) * gapTokens
      chosen.set(piece.ordinal, piece)
      added.push(piece.ordinal)
    }
    if (tokens <= roomTokens) continue
    for (const ordinal of added) chosen.delete(ordinal)
    break
  }
  return [...chosen.values()].toSorted((a, b) => a.ordinal - b.ordinal)
}

/** Reads the texts of some pieces from the document in one pass. @param pieces in document order */
export async function readPieces(
  document: TextDocument,
  pieces: readonly Piece[],
  signal: AbortSignal,
): Promise<PieceText[]> {
  const texts = pieces.map(() => '')
  let [next, offset] = [0, 0]
  if (pieces.length > 0) {
    for await (const { text } of document.open(signal)) {
      const end = offset + text.length
      for (let i = next; i < pieces.length && pieces[i]!.startCharacter < end; i++) {
        const { startCharacter, endCharacter } = pieces[i]!
        texts[i] += text.slice(Math.max(0, startCharacter - offset), endCharacter - offset)
        if (endCharacter <= end) next = i + 1
      }
      offset = end
      if (next === pieces.length) break
    }
  }
  return pieces.map((piece, i) => ({ ...piece, text: texts[i]! }))
}
