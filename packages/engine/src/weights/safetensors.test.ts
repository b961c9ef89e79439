import { readdir } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { parseSafetensors, readSafetensors, serializeSafetensors, writeSafetensors } from './safetensors.ts'

/** A file with this header and this many data bytes. */
function fileOf(header: unknown, dataBytes = 0): Uint8Array {
  const json = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header))
  const bytes = new Uint8Array(8 + json.length + dataBytes)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true)
  bytes.set(json, 8)
  return bytes
}
const entry = (dtype: string, shape: number[], from: number, to: number) => ({
  dtype,
  shape,
  data_offsets: [from, to],
})
const weights = new Map([
  ['a', Float32Array.of(1, -2.5, 3e-5, 65504)],
  ['b.c', Float32Array.of(0.1, Number.NEGATIVE_INFINITY, -0, 7)],
  ['none', new Float32Array(0)],
])
const shapes = new Map<string, readonly number[]>([
  ['a', [2, 2]],
  ['b.c', [4]],
  ['none', [0, 3]],
])

const folder = temporaryFolder(beforeAll, afterAll)

describe('safetensors', () => {
  it('round-trips what was written, as float32', async () => {
    const path = folder.join('model.safetensors')
    await writeSafetensors(path, weights, shapes)
    expect(await readSafetensors(path)).toEqual({ weights, shapes })
    expect(await readdir(folder.path)).toEqual(['model.safetensors'])
  })

  it('writes the layout of the format: aligned header with shapes and offsets, then the numbers', () => {
    const bytes = serializeSafetensors(weights, shapes, 'F16')
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true))
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)))
    expect(length % 8).toBe(0)
    expect(header).toEqual({
      __metadata__: { format: 'pt' },
      a: entry('F16', [2, 2], 0, 8),
      'b.c': entry('F16', [4], 8, 16),
      none: entry('F16', [0, 3], 16, 16),
    })
    // Halves of 1, -2.5, 3e-5 (subnormal) and 65504, by hand.
    expect([...new Uint16Array(bytes.slice(8 + length, 16 + length).buffer)]).toEqual([
      0x3c00, 0xc100, 0x01f7, 0x7bff,
    ])
  })

  it('rounds F16 and BF16 to nearest', () => {
    const values = Float32Array.of(1 + 1 / 256, 1 + 3 / 256, 0.1, -70_000, 1e-9)
    const stored = (dtype: 'F16' | 'BF16') =>
      parseSafetensors(serializeSafetensors(new Map([['x', values]]), new Map(), dtype), 'x').weights.get(
        'x',
      )!
    expect([...stored('BF16')].slice(0, 2)).toEqual([1, 1 + 4 / 256])
    expect([...stored('F16')].slice(0, 2)).toEqual([1 + 1 / 256, 1 + 3 / 256])
    expect(stored('F16')[3]).toBe(Number.NEGATIVE_INFINITY)
    expect(stored('F16')[4]).toBe(0)
    expect(Math.abs(stored('F16')[2]! - 0.1)).toBeLessThan(0.1 / 2 ** 11)
    expect(Math.abs(stored('BF16')[4]! - 1e-9)).toBeLessThan(1e-9 / 2 ** 8)
  })

  it.each<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(0), 'no header'],
    ['a header longer than the file', fileOf('{}').fill(0xff, 0, 8), 'claims'],
    ['a header that is not JSON', fileOf('{"a": '), 'not JSON'],
    ['a header that is not UTF-8', fileOf('{"x":1}').fill(0xff, 9, 12), 'not JSON'],
    ['a header that is a list', fileOf([]), 'not an object'],
    ['an entry without offsets', fileOf({ a: { dtype: 'F32', shape: [1] } }), 'malformed'],
    ['a negative dimension', fileOf({ a: entry('F32', [-1], 0, 4) }, 4), 'malformed'],
    ['a dimension that is not whole', fileOf({ a: entry('F32', [0.5], 0, 2) }, 4), 'malformed'],
    ['offsets backwards', fileOf({ a: entry('F32', [1], 4, 0) }, 4), 'do not fit'],
    ['offsets behind the end', fileOf({ a: entry('F32', [2], 0, 8) }, 4), 'do not fit'],
    ['a shape that overflows', fileOf({ a: entry('F32', [2 ** 50, 2 ** 50], 0, 4) }, 4), 'do not fit'],
    ['integers', fileOf({ a: entry('I64', [1], 0, 8) }, 8), 'I64'],
    ['a type named like a method', fileOf({ a: entry('toString', [1], 0, 8) }, 8), 'toString'],
    ['overlapping tensors', fileOf({ a: entry('F32', [2], 0, 8), b: entry('F32', [1], 4, 8) }, 8), 'overlap'],
    ['a gap', fileOf({ a: entry('F32', [1], 0, 4), b: entry('F32', [1], 8, 12) }, 12), 'gap'],
    ['bytes behind the last tensor', fileOf({ a: entry('F32', [1], 0, 4) }, 9), 'belong to no tensor'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => parseSafetensors(bytes, 'file')).toThrow(EngineError)
    expect(() => parseSafetensors(bytes, 'file')).toThrow(message)
  })

  it('says which file cannot be read, and why', async () => {
    await expect(readSafetensors('/nowhere/model.safetensors')).rejects.toThrow(
      '/nowhere/model.safetensors: there is no such file',
    )
  })
})

describe('properties', () => {
  it('F32 round-trips bit for bit, F16 and BF16 are stable when written again', () => {
    fc.assert(
      fc.property(
        fc.float32Array({ maxLength: 50 }),
        fc.constantFrom('F32', 'F16', 'BF16'),
        (values, dtype) => {
          const round = (input: Float32Array) =>
            parseSafetensors(
              serializeSafetensors(new Map([['x', input]]), new Map(), dtype),
              'x',
            ).weights.get('x')!
          const once = round(values)
          if (dtype === 'F32') expect(once).toEqual(values)
          expect(round(once)).toEqual(once)
        },
      ),
    )
  })

  it('any bytes give weights or an EngineError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.json(), (bytes, json) => {
        for (const file of [bytes, fileOf(json, 8)]) {
          try {
            parseSafetensors(file, 'file')
          } catch (error) {
            expect(error).toBeInstanceOf(EngineError)
          }
        }
      }),
    )
  })
})
