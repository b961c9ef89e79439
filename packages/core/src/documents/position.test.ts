import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chunkDocument } from '../chunking/chunk-document.ts'
import type { Chunk } from '../chunking/chunker.ts'
import { tinyTokenizerJson } from '../testing/tiny-tokenizer.ts'
import { createHuggingFaceTokenizer } from '../tokenizers/hugging-face.ts'
import type { TextDocument, TextPiece } from './document.ts'
import { type Position, positionAt } from './position.ts'
import { utf8Length } from './utf-8.ts'

const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('gpt2'))

async function collect(chunks: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const all: Chunk[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

const anyPosition: fc.Arbitrary<Position | undefined> = fc.option(
  fc.oneof(
    fc.record({ line: fc.integer({ min: 1, max: 99 }) }),
    fc.record({ page: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ headings: fc.array(fc.constantFrom('A', 'B'), { maxLength: 2 }), line: fc.constant(7) }),
  ),
  { nil: undefined },
)
const anyPieces = fc.array(
  fc.record({
    text: fc.array(fc.constantFrom('the man', '\n', 'é', '😀 ', '\r\n', '\n\n', ''), { maxLength: 6 }),
    position: anyPosition,
    isNewSource: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

function piecesOf(
  parts: readonly { text: string[]; position: Position | undefined; isNewSource: boolean }[],
) {
  let [source, offsetBytes] = [0, 0]
  return parts.map(({ text: words, position, isNewSource }): TextPiece => {
    if (isNewSource) [source, offsetBytes] = [source + 1, 0]
    const text = words.join('')
    const piece = {
      text,
      source: `${source}`,
      offsetBytes,
      lengthBytes: utf8Length(text),
      ...(position && { position }),
    }
    offsetBytes += piece.lengthBytes
    return piece
  })
}

/** Computes the position of every byte by definition, key by key. */
function expectedPositions(pieces: readonly TextPiece[]): Map<string, Position | undefined> {
  const expected = new Map<string, Position | undefined>()
  let [known, source]: [Position | undefined, string] = [undefined, '']
  for (const piece of pieces) {
    if (piece.text === '') continue
    known = piece.position ?? (piece.source === source ? known : undefined)
    source = piece.source
    let byte = piece.offsetBytes
    for (const character of piece.text) {
      expected.set(`${source}:${byte}`, known)
      byte += utf8Length(character)
      if (character === '\n' && known?.line !== undefined) known = { ...known, line: known.line + 1 }
    }
  }
  return expected
}

it('positions of chunks are those of the pieces, wherever they are cut and wherever reading resumes', async () => {
  await fc.assert(
    fc.asyncProperty(anyPieces, fc.constantFrom(1, 3, 8), fc.nat(), async (parts, maxTokens, pick) => {
      const pieces = piecesOf(parts)
      const document: TextDocument = {
        name: 'x',
        isReopenable: true,
        async *open() {
          yield* pieces
        },
      }
      const chunks = await collect(chunkDocument(document, { maxTokens, tokenizer }))
      const found = new Map<string, Position | undefined>()
      for (const { ranges, text } of chunks) {
        let rest = text
        for (const range of ranges) {
          const ownText = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
            new TextEncoder().encode(rest).subarray(0, range.endByte - range.startByte),
          )
          rest = rest.slice(ownText.length)
          let byte = range.startByte
          for (const character of ownText) {
            found.set(`${range.source}:${byte}`, positionAt(range, ownText, byte))
            byte += utf8Length(character)
          }
        }
      }
      expect(found).toEqual(expectedPositions(pieces))

      const ordinal = pick % (chunks.length + 1)
      const characters = chunks.slice(0, ordinal).reduce((sum, { text }) => sum + text.length, 0)
      const startAt = { ordinal, characters }
      expect(await collect(chunkDocument(document, { maxTokens, tokenizer, startAt }))).toEqual(
        chunks.slice(ordinal),
      )
    }),
    { numRuns: 150 },
  )
})

it('a text without positions has no marks, and bytes without a position', async () => {
  const pieces = piecesOf([{ text: ['the man'], position: undefined, isNewSource: false }])
  const document = {
    name: 'x',
    isReopenable: true,
    async *open() {
      yield* pieces
    },
  }
  const [chunk] = await collect(chunkDocument(document, { maxTokens: 9, tokenizer }))
  expect(chunk!.ranges).toEqual([{ source: '0', startByte: 0, endByte: 7 }])
  expect(positionAt(chunk!.ranges[0]!, chunk!.text, 3)).toBeUndefined()
})
