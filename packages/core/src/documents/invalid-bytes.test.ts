import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkDocument } from '../chunking/chunk-document.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { createStreamDocument } from './text-document.ts'

async function* streamOf(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size)
}

const replacing = (bytes: Uint8Array, size: number) =>
  createStreamDocument(streamOf(bytes, size), 'bytes', { invalidBytes: 'replace' })

/** Bytes of every kind: text, incomplete characters, stray bytes, zero bytes, U+FFFD itself. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom('a ', 'é', '你', '😀', '\uFFFD', '\0').map((text) => new TextEncoder().encode(text)),
      fc.constantFrom([0xf0, 0x9f], [0xe4, 0xbd], [0xc3], [0x80], [0xff, 0xfe], [0xed, 0xa0, 0x80]),
    ),
    { maxLength: 30 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])))
  // A byte order mark is tested elsewhere.
  .map((bytes) => Uint8Array.from([0x61, ...bytes]))

const decoded = (bytes: Uint8Array, label = 'utf-8') =>
  new TextDecoder(label, { ignoreBOM: true }).decode(bytes).replaceAll('\0', '\uFFFD')

describe('replaced bytes', () => {
  it('give the text of the Encoding Standard, and pieces tile the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes, fc.integer({ min: 1, max: 20 }), async (bytes, size) => {
        let [text, next] = ['', 0]
        for await (const piece of replacing(bytes, size).open()) {
          expect(piece.offsetBytes).toBe(next)
          next += piece.lengthBytes
          text += piece.text
          expect(decoded(bytes.subarray(piece.offsetBytes, next))).toBe(piece.text)
        }
        expect(text).toBe(decoded(bytes))
        expect(next).toBe(bytes.length)
      }),
      { numRuns: 500 },
    )
  })

  it('leave chunks the byte ranges of their text', async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes, fc.integer({ min: 1, max: 8 }), async (bytes, maxTokens) => {
        const options = { maxTokens, tokenizer: createEstimateTokenizer() }
        let next = 0
        for await (const { text, ranges } of chunkDocument(replacing(bytes, 7), options)) {
          expect(ranges.length).toBe(1)
          expect(ranges[0]!.startByte).toBe(next)
          next = ranges[0]!.endByte
          expect(decoded(bytes.subarray(ranges[0]!.startByte, next))).toBe(text)
        }
        expect(next).toBe(bytes.length)
      }),
      { numRuns: 200 },
    )
  })

  it('of UTF-16 are single units', async () => {
    const bytes = Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x3d, 0xd8, 0x62, 0, 0x3d, 0xd8, 0, 0xde, 0x63])
    const pieces: { text: string; offsetBytes: number; lengthBytes: number }[] = []
    for await (const { text, offsetBytes, lengthBytes } of replacing(bytes, 3).open()) {
      pieces.push({ text, offsetBytes, lengthBytes })
    }
    expect(pieces.map(({ text }) => text).join('')).toBe('a\uFFFDb😀\uFFFD')
    expect(pieces.filter(({ text }) => text === '\uFFFD')).toEqual([
      { text: '\uFFFD', offsetBytes: 4, lengthBytes: 2 },
      { text: '\uFFFD', offsetBytes: 12, lengthBytes: 1 },
    ])
  })

  it('are an error by default', async () => {
    const read = async () => {
      for await (const _ of createStreamDocument(streamOf(Uint8Array.of(0x61, 0xff), 1), 'bytes').open());
    }
    await expect(read()).rejects.toMatchObject({
      code: 'document/not-utf-8',
      details: { source: 'bytes', offset: 1 },
    })
  })
})
