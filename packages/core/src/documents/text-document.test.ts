import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentError } from '../errors.ts'
import type { TextDocument, TextPiece } from './document.ts'
import { createStreamDocument, createTextDocument } from './text-document.ts'
import { utf8Length } from './utf-8.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

async function* stream<T>(pieces: readonly T[]) {
  yield* pieces
}

const opened = (...pieces: (Uint8Array | string)[]) => createStreamDocument(stream(pieces), 'x.txt')
const read = (document: TextDocument) => collect(document.open())
const textOf = (pieces: readonly TextPiece[]) => pieces.map(({ text }) => text).join('')
const bytes = (text: string) => new TextEncoder().encode(text)

function utf16(text: string, order: 'little' | 'big', mark = '\uFEFF'): Uint8Array {
  const view = new DataView(new ArrayBuffer((text.length + mark.length) * 2))
  for (const [i, unit] of [...(mark + text).split('')].entries()) {
    view.setUint16(i * 2, unit.charCodeAt(0), order === 'little')
  }
  return new Uint8Array(view.buffer)
}

function split(all: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => cut % (all.length + 1)), all.length].sort((a, b) => a - b)
  return ends.map((end, i) => all.slice(i === 0 ? 0 : ends[i - 1], end))
}

async function failureOf(...pieces: Uint8Array[]): Promise<DocumentError> {
  return read(opened(...pieces)).then(
    () => expect.fail('was read'),
    (error) => error,
  )
}

const wellFormed = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll('\0', ''))
const cuts = fc.array(fc.nat(), { maxLength: 12 })

describe('properties', () => {
  it('UTF-8 split anywhere gives the text and tiles the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(wellFormed, cuts, async (text, at) => {
        const unmarked = text.replace(/^\uFEFF+/, '')
        const all = bytes(unmarked)
        const pieces = await read(opened(...split(all, at)))
        expect(textOf(pieces)).toBe(unmarked)
        let offset = 0
        for (const piece of pieces) {
          expect(piece.offsetBytes).toBe(offset)
          expect(piece.lengthBytes).toBe(bytes(piece.text).length)
          offset += piece.lengthBytes
        }
        expect(offset).toBe(all.length)
      }),
    )
  })

  it('UTF-16 with a byte order mark, split anywhere, gives the text and its offsets', async () => {
    await fc.assert(
      fc.asyncProperty(wellFormed, cuts, fc.constantFrom('little', 'big'), async (text, at, order) => {
        const all = utf16(text, order)
        const pieces = await read(opened(...split(all, at)))
        expect(textOf(pieces)).toBe(text)
        let offset = 2
        for (const piece of pieces) {
          expect(piece.offsetBytes).toBe(offset)
          expect(piece.lengthBytes).toBe(piece.text.length * 2)
          offset += piece.lengthBytes
        }
        expect(offset).toBe(all.length)
      }),
    )
  })

  it('strings split inside of a surrogate pair give the text', async () => {
    await fc.assert(
      fc.asyncProperty(wellFormed, cuts, async (text, at) => {
        const ends = [...at.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b)
        const parts = ends.map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end))
        expect(textOf(await read(opened(...parts)))).toBe(text.replace(/^\uFEFF/, ''))
      }),
    )
  })

  it('names the first byte that is not UTF-8, wherever the stream is split', async () => {
    const invalid = fc.constantFrom([0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x41], [0x80])
    await fc.assert(
      fc.asyncProperty(wellFormed, invalid, cuts, async (text, wrong, at) => {
        const good = bytes(`${text.replace(/^\uFEFF+/, '')}\uFFFDa`)
        const all = new Uint8Array([...good, ...wrong, 0x62])
        const error = await failureOf(...split(all, at))
        expect(error).toBeInstanceOf(DocumentError)
        expect(error.code).toBe('document/not-utf-8')
        expect(error.details).toEqual({ source: 'x.txt', offset: good.length })
        expect(error.message).toContain('x.txt')
        expect(error.message).toContain(`byte ${good.length}`)
      }),
    )
  })

  it('knows the UTF-8 length of any string, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 0xffff }), { maxLength: 20 }), (units) => {
        const text = String.fromCharCode(...units)
        expect(utf8Length(text)).toBe(bytes(text).length)
      }),
    )
    expect(utf8Length('\ud83dé')).toBe(5)
  })
})

describe('byte order marks', () => {
  it('are not text, and the text starts after them', async () => {
    const marked = bytes('\uFEFFhello 😀')
    for (const pieces of [[marked], split(marked, [1]), split(marked, [1, 2, 3]), split(marked, [3])]) {
      const result = await read(opened(...pieces))
      expect(textOf(result)).toBe('hello 😀')
      expect(result[0]!.offsetBytes).toBe(3)
    }
  })

  it('are text inside a source', async () => {
    expect(textOf(await read(opened(bytes('a\uFEFFb'))))).toBe('a\uFEFFb')
    expect(textOf(await read(opened(bytes('\uFEFF\uFEFFb'))))).toBe('\uFEFFb')
  })

  it('alone are an empty document; half of one is an error', async () => {
    expect(textOf(await read(opened(bytes('\uFEFF'))))).toBe('')
    expect(textOf(await read(opened()))).toBe('')
    expect((await failureOf(new Uint8Array([0xef, 0xbb]))).details).toEqual({ source: 'x.txt', offset: 0 })
  })
})

describe('bytes that are not text', () => {
  it('names the zero byte', async () => {
    const error = await failureOf(bytes('é'), bytes('😀a\0b'))
    expect(error.code).toBe('document/binary')
    expect(error.details).toEqual({ source: 'x.txt', offset: 7 })
    expect(error.message).toContain('x.txt has zero bytes (byte 7)')
    expect((await failureOf(utf16('abc', 'little', ''))).code).toBe('document/binary')
  })

  it('is not mistaken for another encoding when there are other invalid bytes, too', async () => {
    const error = await failureOf(Uint8Array.of(0x61, 0xff, 0x62, 0x00, 0xfe, 0x63))
    expect(error).toMatchObject({ code: 'document/binary', details: { offset: 3 } })
    expect(error.hint).not.toMatch(/iconv|replace/)
  })

  it('names a character cut off by the end', async () => {
    const error = await failureOf(bytes('ab'), bytes('😀').slice(0, 2))
    expect(error.details).toEqual({ source: 'x.txt', offset: 2 })
  })

  it('names an invalid UTF-16 unit, and an odd byte at the end', async () => {
    expect((await failureOf(utf16('ab\ud83dc', 'big'))).details).toEqual({ source: 'x.txt', offset: 6 })
    const odd = new Uint8Array([...utf16('ab', 'little'), 0x41])
    const error = await failureOf(odd)
    expect(error.code).toBe('document/not-utf-16')
    expect(error.details).toEqual({ source: 'x.txt', offset: 6 })
  })
})

describe('documents', () => {
  it('from a text can be opened any number of times, in pieces', async () => {
    const text = `${'a'.repeat(65_535)}😀${'é'.repeat(70_000)}`
    const document = createTextDocument(text, 'mine')
    expect(document.sizeBytes).toBe(bytes(text).length)
    for (let round = 0; round < 2; round++) {
      const pieces = await read(document)
      expect(pieces.length).toBeGreaterThan(1)
      expect(textOf(pieces)).toBe(text)
      for (const piece of pieces) {
        expect(piece.text).toBe(new TextDecoder().decode(bytes(piece.text)))
        expect(piece.source).toBe('mine')
      }
    }
    expect(await document.fingerprint!()).not.toBe(await createTextDocument(`${text}.`).fingerprint!())
    expect(await document.fingerprint!()).toBe(await createTextDocument(text).fingerprint!())
  })

  it('from a stream can be read once', async () => {
    const document = opened(bytes('a'))
    expect(document.isReopenable).toBe(false)
    await read(document)
    expect(() => document.open()).toThrow(/can be read only once/)
  })

  it('stop on abort', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const pieces: string[] = []
    const reading = async () => {
      for await (const { text } of opened(bytes('a'), bytes('b'), bytes('c')).open(controller.signal)) {
        pieces.push(text)
        controller.abort(reason)
      }
    }
    await expect(reading()).rejects.toBe(reason)
    expect(pieces).toEqual(['a'])
  })
})
