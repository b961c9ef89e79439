/** A document in small pieces that counts how often it is opened and closed. */
import type { TextDocument } from '../documents/document.ts'

export function watchedDocument(text: string, onPiece?: (index: number) => void) {
  const counts = { opened: 0, closed: 0 }
  const document: TextDocument = {
    name: 'rehearsal',
    sizeBytes: Buffer.byteLength(text),
    isReopenable: true,
    async *open(signal) {
      counts.opened++
      try {
        let offsetBytes = 0
        // Whole characters only: a piece never ends inside a surrogate pair.
        for (const [index, piece] of (text.match(/[\s\S]{1,97}/gu) ?? []).entries()) {
          signal?.throwIfAborted()
          onPiece?.(index)
          signal?.throwIfAborted()
          const lengthBytes = Buffer.byteLength(piece)
          yield { text: piece, source: 'rehearsal', offsetBytes, lengthBytes }
          offsetBytes += lengthBytes
        }
      } finally {
        counts.closed++
      }
    },
  }
  return { document, counts }
}
