import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { density } from './density.ts'

describe('density', () => {
  it('is the share of each part that is marked', () => {
    expect(density([0, 1, 5], 6, 3)).toEqual([1, 0, 0.5])
    expect(density([2], 3, 240)).toEqual([0, 0, 1])
    expect(density([], 0, 240)).toEqual([])
  })

  it('is between 0 and 1 and counts every mark', () => {
    const marks = fc.integer({ min: 1, max: 3000 }).chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.uniqueArray(fc.nat({ max: count - 1 })).map((all) => all.sort((a, b) => a - b)),
      ),
    )
    fc.assert(
      fc.property(marks, ([count, marked]) => {
        const shares = density(marked, count, 240)
        expect(shares).toHaveLength(Math.min(240, count))
        expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
        expect(shares.some((share) => share > 0)).toBe(marked.length > 0)
      }),
    )
  })
})
