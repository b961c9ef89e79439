import { describe, expect, it } from 'vitest'
import { decodeNumbers, encodeNumbers } from './number-formats.ts'

/** The value of an IEEE half by the definition of its fields. */
function halfByDefinition(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >>> 10) & 0x1f
  const mantissa = half & 0x3ff
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return exponent === 0
    ? sign * (mantissa / 1024) * 2 ** -14
    : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15)
}

describe('decodeNumbers', () => {
  const every = Uint16Array.from({ length: 2 ** 16 }, (_, half) => half)
  const bytes = new Uint8Array(every.buffer)

  it('decodes every half to its value by definition, signed zeros included', () => {
    const decoded = decodeNumbers(bytes, 'F16')
    expect(decoded.findIndex((value, half) => !Object.is(value, halfByDefinition(half)))).toBe(-1)
  })

  it('decodes every bfloat16 as the upper half of a float32', () => {
    const bits = new Uint32Array(decodeNumbers(bytes, 'BF16').buffer)
    expect(bits.findIndex((value, upper) => value !== upper * 2 ** 16)).toBe(-1)
  })

  it('reads bytes that begin at an odd address of their file', () => {
    const file = new Uint8Array(5)
    file.set(encodeNumbers(Float32Array.of(1.5, -0.25), 'F16'), 1)
    expect([...decodeNumbers(file.subarray(1), 'F16')]).toEqual([1.5, -0.25])
  })
})
