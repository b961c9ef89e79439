/** A document of any length, generated while it is read, with sentences at given places. */
import type { TextDocument } from '../../documents/document.ts'

const pieceCharacters = 4096
const sentence = 'The road went on past fields and low walls, and nobody on it was in a hurry that day. '
const filler = sentence.repeat(Math.ceil(pieceCharacters / sentence.length))

/**
 * @param characters of the text, which is ASCII
 * @param planted sentences by the share of the text before them, from 0 to 1
 */
export function longDocument(characters: number, planted: Readonly<Record<number, string>>): TextDocument {
  const pieces = Math.ceil(characters / pieceCharacters)
  const byPiece = new Map(
    Object.entries(planted).map(([share, text]) => [Math.floor(Number(share) * (pieces - 1)), text]),
  )
  return {
    name: 'road',
    sizeBytes: pieces * pieceCharacters,
    isReopenable: true,
    async *open(signal) {
      for (let piece = 0; piece < pieces; piece++) {
        signal?.throwIfAborted()
        const lead = `Day ${piece}. ${byPiece.has(piece) ? `${byPiece.get(piece)} ` : ''}`
        const text = `${lead}${filler}`.slice(0, pieceCharacters - 1).concat('\n')
        yield { text, source: 'road', offsetBytes: piece * pieceCharacters, lengthBytes: pieceCharacters }
      }
    },
  }
}
