import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEstimateTokenizer } from './estimate.ts'

describe('estimates', () => {
  const tokenizer = createEstimateTokenizer()

  it('are labelled as such', () => {
    expect(tokenizer.isExact).toBe(false)
    expect(tokenizer.name).toContain('estimate')
    expect(tokenizer.encode).toBeUndefined()
  })

  it('weight punctuation twice as much as letters, and count other scripts by the character', () => {
    expect(tokenizer.count('')).toBe(0)
    expect(tokenizer.count('abcdefg')).toBe(2)
    expect(tokenizer.count('1234567')).toBe(4)
    expect(tokenizer.count('你好世界')).toBe(4)
    expect(createEstimateTokenizer({ charactersPerToken: 7 }).count('abcdefg')).toBe(1)
  })

  it('never shrink when text is appended, and are about the sum of their parts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        (a, b) => {
          const [whole, first, second] = [a + b, a, b].map((text) => tokenizer.count(text) as number)
          expect(whole).toBeGreaterThanOrEqual(first!)
          expect(Math.abs(whole! - first! - second!)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
