import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TextDocument } from '../documents/document.ts'
import { createStreamDocument, createTextDocument } from '../documents/text-document.ts'
import { ConfigurationError } from '../errors.ts'
import { tinyTokenizerJson } from '../testing/tiny-tokenizer.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { createHuggingFaceTokenizer } from '../tokenizers/hugging-face.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { type ChunkingOptions, chunkDocument } from './chunk-document.ts'
import type { Chunk } from './chunker.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const bpe = createHuggingFaceTokenizer(tinyTokenizerJson('gpt2'))
const qwen = createHuggingFaceTokenizer(tinyTokenizerJson('qwen2'))
const estimate = createEstimateTokenizer()
const onlyCounts: Tokenizer = { name: 'counts', isExact: true, count: async (text) => bpe.count(text) }
const modes = ['natural', 'exact'] as const

const words = 'The old man said that there were 12 things in the house, and "it" is not unbelievable.'.split(
  ' ',
)
const prose = (sentences: number, paragraph = 4) =>
  Array.from({ length: sentences }, (_, i) => {
    const length = 5 + ((i * 7) % 11)
    const sentence = Array.from({ length }, (_, j) => words[(i * 5 + j * 3) % (words.length - 1)]).join(' ')
    return `${sentence} end.${i % paragraph === paragraph - 1 ? '\n\n' : ' '}`
  }).join('')

it('cuts what came before a pause, and nothing across it', async () => {
  const parts = [prose(3), prose(40), 'Short.', 'End']
  const source = async function* () {
    let offsetBytes = 0
    for (const text of parts) {
      const lengthBytes = text.length
      yield { text, source: 'log', offsetBytes, lengthBytes }
      offsetBytes += lengthBytes
      yield { text: '', source: 'log', offsetBytes, lengthBytes: 0, isPause: true as const }
    }
  }
  const document = { name: 'log', isReopenable: false, open: source }
  for (const mode of modes) {
    const chunks = await chunksOf(document, { maxTokens: 60, mode, tokenizer: bpe })
    expect(chunks.map(({ text }) => text).join('')).toBe(parts.join(''))
    let end = 0
    for (const part of parts) {
      end += part.length
      expect(chunks.some(({ ranges }) => ranges.at(-1)!.endByte === end)).toBe(true)
    }
    expect(Math.max(...chunks.map(({ tokens }) => tokens))).toBeLessThanOrEqual(60)
  }
})

async function chunksOf(document: TextDocument | string, options: ChunkingOptions): Promise<Chunk[]> {
  const opened = typeof document === 'string' ? createTextDocument(document) : document
  return collect(chunkDocument(opened, options))
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** Text with everything that is hard to cut. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        ' ',
        '\n',
        '\r\n',
        '\n\n',
        '\r\n\r\n',
        '😀',
        '👩‍👩‍👧',
        'é',
        'e\u0301',
        '你好。',
        '\u3000',
      ),
      fc.constantFrom(
        'the ',
        ' man.',
        ' unbelievable',
        "don't",
        '12345',
        '        ',
        'aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))
/** The same texts as UTF-8, split at any byte. */
const splitText = fc.tuple(anyText, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }))

function inPieces(text: string, cuts: readonly number[]): Uint8Array[] {
  const all = bytes(text)
  const ends = [...cuts.map((cut) => Math.min(cut, all.length)), all.length].sort((a, b) => a - b)
  return ends.map((end, i) => all.slice(i === 0 ? 0 : ends[i - 1], end))
}

async function* stream(pieces: readonly Uint8Array[]) {
  yield* pieces
}

/** The concatenated chunks are the text, their ranges are its bytes, and the cap holds. */
function expectWhole(chunks: readonly Chunk[], text: string, maxTokens: number, tokenizer: Tokenizer) {
  expect(chunks.map((chunk) => chunk.text).join('')).toBe(text)
  expect(chunks.map(({ ordinal }) => ordinal)).toEqual(chunks.map((_, i) => i))
  const all = bytes(text)
  let at = 0
  for (const chunk of chunks) {
    expect(chunk.ranges).toHaveLength(1)
    const { startByte, endByte } = chunk.ranges[0]!
    expect(startByte).toBe(at)
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(all.subarray(startByte, endByte))).toBe(
      chunk.text,
    )
    at = endByte
    if ([...chunk.text].length > 1) expect(tokenizer.count(chunk.text)).toBeLessThanOrEqual(maxTokens)
  }
  expect(at).toBe(all.length)
}

describe('properties', () => {
  for (const mode of modes) {
    for (const tokenizer of [bpe, qwen, estimate]) {
      it(`${mode}: chunks are the text, ranges its bytes, no chunk above the cap (${tokenizer.name})`, async () => {
        await fc.assert(
          fc.asyncProperty(splitText, fc.constantFrom(1, 2, 3, 5, 17), async ([text, cuts], maxTokens) => {
            const unmarked = text.replace(/^\uFEFF+/, '')
            const document = createStreamDocument(stream(inPieces(unmarked, cuts)), 'x')
            const chunks = await chunksOf(document, { maxTokens, mode, tokenizer })
            expectWhole(chunks, unmarked, maxTokens, tokenizer)
          }),
          { numRuns: 80 },
        )
      })
    }

    it(`${mode}: chunks of text that is not well-formed are the text`, async () => {
      const units = fc.array(fc.constantFrom('a', ' ', '\ud83d', '\ude00', '\ufffd', '\n', 'é', ' the'), {
        maxLength: 60,
      })
      await fc.assert(
        fc.asyncProperty(units, fc.constantFrom(1, 3, 8), async (parts, maxTokens) => {
          const text = parts.join('')
          for (const tokenizer of [bpe, onlyCounts]) {
            const chunks = await chunksOf(text, { maxTokens, mode, tokenizer })
            expect(chunks.map((chunk) => chunk.text).join('')).toBe(text)
            expect(chunks.at(-1)?.ranges.at(-1)?.endByte ?? 0).toBe(bytes(text).length)
          }
        }),
        { numRuns: 60 },
      )
    })

    it(`${mode}: reading goes on at any chunk with the same chunks`, async () => {
      await fc.assert(
        fc.asyncProperty(anyText, fc.constantFrom(1, 3, 8), fc.nat(), async (text, maxTokens, pick) => {
          const options = { maxTokens, mode, tokenizer: bpe }
          const all = await chunksOf(text, options)
          const ordinal = all.length === 0 ? 0 : pick % (all.length + 1)
          const characters = all.slice(0, ordinal).reduce((sum, chunk) => sum + chunk.text.length, 0)
          const rest = await chunksOf(text, { ...options, startAt: { ordinal, characters } })
          expect(rest).toEqual(all.slice(ordinal))
        }),
        { numRuns: 80 },
      )
    })
  }

  it.each([
    ['gpt2', bpe],
    ['smolLm', createHuggingFaceTokenizer(tinyTokenizerJson('smolLm'))],
    // A run of white space may have more tokens once it is cut, which shortens the chunk; so single spaces only.
    ['qwen2, single spaces', qwen],
  ] as const)('exact: chunks of the cap, and as many as tokens divide into (%s)', async (name, tokenizer) => {
    const plain = fc
      .array(
        fc.constantFrom(...words, '  ', '\n', '\n\n', '1234567', "they'll", 'unbelievable', '---', 'xyzzy'),
        {
          minLength: 1,
          maxLength: 150,
        },
      )
      .map((parts) => (name.startsWith('qwen2') ? parts.join(' ').replace(/\s+/g, ' ') : parts.join(' ')))
    await fc.assert(
      fc.asyncProperty(plain, fc.constantFrom(5, 16, 37), async (text, maxTokens) => {
        const chunks = await chunksOf(text, { maxTokens, mode: 'exact', tokenizer })
        const total = tokenizer.count(text)
        expect(chunks.slice(0, -1).every(({ tokens }) => tokens === maxTokens)).toBe(true)
        expect(chunks).toHaveLength(Math.ceil(total / maxTokens))
        expect(chunks.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total)
      }),
      { numRuns: 100 },
    )
  })
})

describe('natural', () => {
  const options = { tokenizer: bpe } as const

  it('ends at paragraphs that leave a chunk full enough, also with CRLF', async () => {
    for (const [newline, text] of [
      ['\n', prose(80)],
      ['\r\n', prose(80).replaceAll('\n', '\r\n')],
    ] as const) {
      const chunks = await chunksOf(text, { ...options, maxTokens: 400 })
      expect(chunks.length).toBeGreaterThan(3)
      for (const chunk of chunks.slice(0, -1)) {
        expect(chunk.text.endsWith(`end.${newline}${newline}`)).toBe(true)
        expect(chunk.tokens).toBeGreaterThan(266)
      }
    }
  })

  it('ends at sentences where paragraphs are too long, with or without spaces', async () => {
    for (const chunk of (await chunksOf(prose(60, 1000), { ...options, maxTokens: 100 })).slice(0, -1)) {
      expect(chunk.text).toMatch(/end\.$/)
    }
    for (const chunk of (await chunksOf('你好，世界你好。'.repeat(60), { ...options, maxTokens: 100 })).slice(
      0,
      -1,
    )) {
      expect(chunk.text).toMatch(/。$/)
    }
  })

  it('ends at lines, otherwise at words', async () => {
    const list = 'an item in a list of the house\n'.repeat(60)
    for (const chunk of await chunksOf(list, { ...options, maxTokens: 50 }))
      expect(chunk.text).toMatch(/house\n$/)
    const flow = 'the men in the house '.repeat(60)
    const chunks = await chunksOf(flow, { ...options, maxTokens: 50 })
    for (const chunk of chunks.slice(0, -1)) expect(chunk.text).toMatch(/(^|\s)(the|men|in|house)$/)
  })

  it('fills chunks without boundaries to the cap', async () => {
    const chunks = await chunksOf('xyzxyzq'.repeat(3000), { ...options, maxTokens: 256 })
    for (const chunk of chunks.slice(0, -1)) expect(chunk.tokens).toBeGreaterThan(240)
  })
})

describe('size and work', () => {
  for (const mode of modes) {
    for (const [name, base] of [
      ['the tokenizer encodes', bpe],
      ['the tokenizer only counts', onlyCounts],
    ] as const) {
      if (mode === 'exact' && base === onlyCounts) continue
      it(`${mode}: hands a text to the tokenizer little more than twice, when ${name}`, async () => {
        const text = prose(3000)
        let characters = 0
        let calls = 0
        const counting: Tokenizer = {
          ...base,
          count: (part) => {
            characters += part.length
            calls++
            return base.count(part)
          },
          ...(base.encode && {
            encode: (part: string) => {
              characters += part.length
              calls++
              return base.encode!(part)
            },
          }),
        }
        const chunks = await chunksOf(text, { maxTokens: 1000, mode, tokenizer: counting })
        expect(characters / text.length).toBeLessThan(2.5)
        expect(calls / chunks.length).toBeLessThan(40)
      })
    }

    it(`${mode}: reads a line of 10 MB, and as much white space, in linear time`, async () => {
      const started = performance.now()
      for (const text of ['lorem😀ipsum,'.repeat(800_000).slice(0, 10_000_000), ' '.repeat(300_000)]) {
        let total = 0
        for await (const chunk of chunkDocument(createTextDocument(text), {
          maxTokens: 5000,
          mode,
          tokenizer: estimate,
        })) {
          expect(chunk.tokens).toBeLessThanOrEqual(5000)
          expect(text.startsWith(chunk.text, total)).toBe(true)
          total += chunk.text.length
        }
        expect(total).toBe(text.length)
      }
      expect(performance.now() - started).toBeLessThan(20_000)
    })
  }

  it('rejects a cap of zero', async () => {
    for (const maxTokens of [0, -1, 1.5, Number.NaN]) {
      await expect(chunksOf('a', { maxTokens, tokenizer: bpe })).rejects.toThrow(ConfigurationError)
    }
  })

  it('closes the document when the reader stops', async () => {
    let isClosed = false
    const document = createStreamDocument(
      (async function* () {
        try {
          for (;;) yield bytes('the man ')
        } finally {
          isClosed = true
        }
      })(),
      'x',
    )
    for await (const _ of chunkDocument(document, { maxTokens: 10, tokenizer: bpe })) break
    expect(isClosed).toBe(true)
  })
})
