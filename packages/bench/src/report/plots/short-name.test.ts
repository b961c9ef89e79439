import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortName, textWidth } from './short-name.ts'

describe('short names', () => {
  it('keep beginning and end', () => {
    expect(shortName('overwrite:memory=512', 82)).toMatch(/^over.*….*=512$/)
    expect(shortName('bm25', 82)).toBe('bm25')
  })

  it('fit, and stay as they are where there is room', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 12, max: 400 }),
        (name, width) => {
          const short = shortName(name, width)
          expect(textWidth(short, 11)).toBeLessThanOrEqual(width)
          expect(short === name).toBe(textWidth(name, 11) <= width)
        },
      ),
    )
  })
})
