import { describe, expect, it } from 'vitest'
import { amount, bounds, count, fixed, lengthLabel, percent, pValue, signedPercent } from './numbers.ts'
import { plainText } from './plain-text.ts'

describe('numbers', () => {
  it.each([
    [percent(0.9375), '93.8'],
    [percent(Number.NaN), '–'],
    [signedPercent(0.03), '+3.0'],
    [signedPercent(-0.03), '−3.0'],
    [signedPercent(-0.0001), '0.0'],
    [bounds(0.5, 1), '50.0–100.0'],
    [count(3_500_000), '3,500,000'],
    [count(undefined), '–'],
    [amount(0.012345), '0.0123'],
    [amount(4.5678), '4.57'],
    [amount(12_345.6), '12,346'],
    [fixed(1234.5, 2), '1,234.50'],
    [pValue(0.0004), 'p < 0.001'],
    [pValue(0.04), 'p 0.040'],
    [lengthLabel(8000), '8K'],
    [lengthLabel(8192), '8K'],
    [lengthLabel(131_072), '128K'],
    [lengthLabel(1_048_576), '1M'],
    [lengthLabel(3_500_000), '3.5M'],
    [lengthLabel(500), '500'],
  ])('%s is written %s', (written, expected) => {
    expect(written).toBe(expected)
  })
})

describe('plain text', () => {
  it('is one line, with nothing hidden, reordered or broken in it', () => {
    expect(plainText(' a\n\tb\u0007 \u202etxet\u2066\ufeff ')).toBe('a b\\x07 txet')
    expect(plainText('half \ud83d of a pair')).toBe('half \ufffd of a pair')
    expect(plainText('no \ufffe sign')).toBe('no \ufffd sign')
    expect(plainText('Grüße, 世界 <tag>')).toBe('Grüße, 世界 <tag>')
  })

  it('ends with an ellipsis where it is too long, between characters', () => {
    expect(plainText('abcdef', 4)).toBe('abc…')
    expect(plainText('🙂🙂🙂', 2)).toBe('🙂…')
    expect(plainText('abcd', 4)).toBe('abcd')
  })
})
