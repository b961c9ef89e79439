import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLength, showLength } from './length.ts'

describe('parseLength', () => {
  it.each([
    ['8k', 8000],
    ['3.5m', 3_500_000],
    ['1.1M', 1_100_000],
    ['8192', 8192],
    [65_536, 65_536],
  ])('reads %s', (text, tokens) => {
    expect(parseLength(text)).toBe(tokens)
  })

  it.each(['', '0', '-8k', '1.5', '8kb', 'long', '0.0001k'])('refuses "%s"', (text) => {
    expect(() => parseLength(text)).toThrow(/is not a valid document length/)
  })
})

describe('showLength', () => {
  it('is what people write', () => {
    expect([8000, 3_500_000, 8192, 512_000, 1_000_000].map(showLength)).toEqual([
      '8k',
      '3.5m',
      '8192',
      '512k',
      '1m',
    ])
  })

  it('is read as the same number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e8 }), (tokens) => {
        expect(parseLength(showLength(tokens))).toBe(tokens)
      }),
    )
  })
})
