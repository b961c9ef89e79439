import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TextDocument } from '../documents/document.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { watchedDocument } from '../testing/watched-document.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { bestThatFit, type Passage, type PieceText, passagesOf, readPieces, textOf } from './passages.ts'

const estimateTokenizer = createEstimateTokenizer()
const text = fc
  .array(fc.constantFrom('The old man. ', 'Zürich 😀 ', '你好。', '\n\n', 'x'.repeat(90)), { maxLength: 60 })
  .map((parts) => parts.join(''))

async function passagesIn(document: TextDocument, maxTokens: number): Promise<Passage<PieceText>[]> {
  const all: Passage<PieceText>[] = []
  for await (const passage of passagesOf(document, { maxTokens, tokenizer: estimateTokenizer }))
    all.push(passage)
  return all
}
const piecesIn = (passages: readonly Passage<PieceText>[]) => [
  ...new Map(passages.flatMap(({ pieces }) => pieces).map((piece) => [piece.ordinal, piece])).values(),
]

it('pieces of the passages are the document, with their bytes and characters', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(8, 32, 100), async (whole, maxTokens) => {
      const pieces = piecesIn(await passagesIn(createTextDocument(whole), maxTokens))
      expect(pieces.map((piece) => piece.text).join('')).toBe(whole)
      const bytes = Buffer.from(whole)
      for (const piece of pieces) {
        expect(bytes.subarray(piece.startByte, piece.endByte).toString()).toBe(piece.text)
        expect(whole.slice(piece.startCharacter, piece.endCharacter)).toBe(piece.text)
      }
    }),
  )
})

it('each passage begins with the piece that the one before ends with', async () => {
  const passages = await passagesIn(createTextDocument('The old man went home by boat. '.repeat(40)), 40)
  expect(passages.length).toBeGreaterThan(10)
  expect(passages.map(({ ordinal }) => ordinal)).toEqual(passages.map((_, i) => i))
  for (const [i, { pieces }] of passages.entries()) {
    expect(pieces).toHaveLength(2)
    if (i > 0) expect(pieces[0]).toEqual(passages[i - 1]!.pieces[1])
    expect(estimateTokenizer.count(textOf({ ordinal: i, pieces }))).toBeLessThanOrEqual(40)
  }
})

it('no passage goes over the border between two texts, wherever pieces are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 8 }),
      fc.constantFrom(8, 40, 400),
      async (texts, maxTokens) => {
        const starts = texts.map((_, i) => Buffer.byteLength(texts.slice(0, i).join('')))
        const document = { ...createTextDocument(texts.join('')), textStarts: starts }
        const passages = await passagesIn(document, maxTokens)
        expect(
          piecesIn(passages)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(texts.join(''))
        for (const { pieces } of passages) {
          const [from, to] = [pieces[0]!.startByte, pieces.at(-1)!.endByte]
          expect(starts.filter((start) => from < start && start < to)).toEqual([])
        }
      },
    ),
  )
})

it('any of the pieces are read again from a document in small parts, which is closed', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.boolean(), { maxLength: 60 }), async (whole, picks) => {
      const chosen = piecesIn(await passagesIn(createTextDocument(whole), 16)).filter((_, i) => picks[i])
      const { document, counts } = watchedDocument(whole)
      const read = await readPieces(
        document,
        chosen.map(({ text: _, ...place }) => place),
        new AbortController().signal,
      )
      expect(read).toEqual(chosen)
      expect(counts.closed).toBe(counts.opened)
    }),
  )
})

describe('the best that fit', () => {
  const piece = (ordinal: number, tokens: number) => ({
    ordinal,
    tokens,
    startByte: 0,
    endByte: 0,
    startCharacter: 0,
    endCharacter: 0,
  })
  const alone = (ordinal: number, tokens: number): Passage => ({ ordinal, pieces: [piece(ordinal, tokens)] })
  const ranked = [alone(7, 30), alone(2, 40), alone(9, 50), alone(1, 5), alone(8, 10)]
  const chosen = (room: number, gap: number, most?: number, passages: readonly Passage[] = ranked) =>
    bestThatFit(passages, room, gap, most).map(({ ordinal }) => ordinal)

  it('are in the order of the document', () => expect(chosen(1000, 0)).toEqual([1, 2, 7, 8, 9]))
  it('fill the room to the last token, with a gap between those that do not follow each other', () => {
    expect(chosen(73, 3)).toEqual([2, 7])
    expect(chosen(72, 3)).toEqual([7])
    // There is no gap between 1 and 2, and with 8 none between 7, 8 and 9: one gap is left.
    expect(chosen(138, 3)).toEqual([1, 2, 7, 8, 9])
    expect(chosen(137, 3)).toEqual([1, 2, 7, 9])
  })
  it('end with the first that does not fit, even if a worse one would', () =>
    expect(chosen(80, 0)).toEqual([2, 7]))
  it('are at most the number asked for', () => expect(chosen(1000, 0, 2)).toEqual([2, 7]))
  it('are none without room', () => expect(chosen(0, 0)).toEqual([]))
  it('take room once for a piece that two passages share, and are always whole', () => {
    const overlapping = [
      { ordinal: 4, pieces: [piece(4, 10), piece(5, 10)] },
      { ordinal: 5, pieces: [piece(5, 10), piece(6, 10)] },
      { ordinal: 8, pieces: [piece(8, 10), piece(9, 10)] },
    ]
    expect(chosen(30, 3, undefined, overlapping)).toEqual([4, 5, 6])
    expect(chosen(29, 3, undefined, overlapping)).toEqual([4, 5])
    expect(chosen(52, 3, undefined, overlapping)).toEqual([4, 5, 6])
    expect(chosen(53, 3, undefined, overlapping)).toEqual([4, 5, 6, 8, 9])
  })
})
