import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proportion, showProportion } from './proportion.ts'

describe("Wilson's interval of a proportion", () => {
  it.each([
    [0, 16, 0, 0.1936076805],
    [30, 64, 0.3517598743, 0.5892791295],
    [31, 32, 0.8425573618, 0.9944621398],
    [45, 48, 0.8316456195, 0.9785167671],
    [64, 64, 0.9433759402, 1],
  ])('of %i in %i agrees with SciPy (binomtest, method wilson)', (right, count, low, high) => {
    const interval = proportion(right, count)
    expect(interval.value).toBe(right / count)
    expect(interval.low).toBeCloseTo(low, 6)
    expect(interval.high).toBeCloseTo(high, 6)
  })

  it('is shown with its count, and as a dash without samples', () => {
    expect(showProportion(proportion(45, 48))).toBe('93.8 % (83.2-97.9, n 48)')
    expect(showProportion(proportion(0, 0))).toBe('-')
  })

  it('holds the value, stays within 0 and 1, and narrows with more samples', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (count, share) => {
          const right = Math.round(share * count)
          const { low, value, high } = proportion(right, count)
          expect(low === 0).toBe(right === 0)
          expect(high === 1).toBe(right === count)
          expect(low).toBeGreaterThanOrEqual(0)
          expect(high).toBeLessThanOrEqual(1)
          expect(value).toBeGreaterThanOrEqual(low)
          expect(value).toBeLessThanOrEqual(high)
          const more = proportion(4 * right, 4 * count)
          expect(more.high - more.low).toBeLessThan(high - low)
        },
      ),
    )
  })
})
