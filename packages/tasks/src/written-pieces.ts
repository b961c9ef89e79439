/** Pieces of documents that are written each time they are opened. */
import type { TextPiece } from '@memagent/core'

/** Least number of characters of a piece but the last. */
const pieceCharacters = 65_536

/** @throws the signal's reason after an abort */
export function* writtenPieces(
  source: string,
  texts: Iterable<string>,
  signal?: AbortSignal,
): Generator<TextPiece> {
  let [buffer, offsetBytes] = ['', 0]
  const piece = (): TextPiece => {
    signal?.throwIfAborted()
    const text = buffer
    const start = offsetBytes
    const lengthBytes = Buffer.byteLength(text)
    buffer = ''
    offsetBytes += lengthBytes
    return { text, source, offsetBytes: start, lengthBytes }
  }
  for (const text of texts) {
    buffer += text
    if (buffer.length >= pieceCharacters) yield piece()
  }
  if (buffer !== '') yield piece()
}
