import { describe, expect, it } from 'vitest'
import { estimateMean, estimateMeanOverStrata } from './mean.ts'

const singles = (values: readonly number[]) => values.map((value) => [value])

describe('the mean of a metric', () => {
  it("has Wilson's interval for zeros and ones", () => {
    const estimate = estimateMean(singles([...Array(30).fill(1), ...Array(34).fill(0)]))
    expect(estimate).toMatchObject({ count: 64, groups: 64, interval: 'wilson', value: 30 / 64 })
    expect(estimate.low).toBeCloseTo(0.3517598743, 6)
  })

  it("has Gaffke's interval for shares", () => {
    const estimate = estimateMean(singles([0, 0.25, 0.25, 0.5, 0.5, 0.75, 1, 1, 1, 1, 0.5, 0.75]))
    expect(estimate).toMatchObject({ value: 0.625, count: 12, interval: 'gaffke' })
    expect(Math.abs(estimate.low - 0.385)).toBeLessThan(0.012)
    expect(Math.abs(estimate.high - 0.817)).toBeLessThan(0.012)
  })

  it('weighs the values of one question together', () => {
    const groups = [[1, 1, 0], [0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [1, 1, 1], [1], [0, 0]]
    const estimate = estimateMean(groups)
    expect(estimate).toMatchObject({ count: 21, groups: 8, interval: 'gaffke' })
    expect(estimate.value).toBeCloseTo(11 / 21, 12)
    const alone = estimateMean(singles(groups.flat()))
    expect(estimate.high - estimate.low).toBeGreaterThan(1.2 * (alone.high - alone.low))
  })

  it('has a width even if all values are equal, by the number of independent groups', () => {
    expect(estimateMean(singles(Array(16).fill(0)))).toMatchObject({ low: 0, interval: 'wilson' })
    expect(estimateMean(singles(Array(16).fill(0))).high).toBeCloseTo(0.1936, 4)
    const halves = estimateMean(singles(Array(16).fill(0.5)))
    expect(halves.high - halves.low).toBeGreaterThan(0.18)
    // 0.025^(1/16), by hand.
    const grouped = estimateMean(Array.from({ length: 16 }, () => [1, 1, 1, 1]))
    expect(Math.abs(grouped.low - 0.7941)).toBeLessThan(0.012)
    expect(grouped.high).toBe(1)
  })

  it('is NaN without values', () => {
    expect(estimateMean([])).toMatchObject({ value: Number.NaN, low: Number.NaN, high: Number.NaN, count: 0 })
  })

  it('over strata weighs each stratum the same', () => {
    const estimate = estimateMeanOverStrata([singles([1, 1, 1, 1, 1, 1, 0, 1]), singles([0, 0, 1, 0])])
    expect(estimate.value).toBeCloseTo((0.875 + 0.25) / 2, 12)
    expect(estimate.count).toBe(12)
    // Wilson's interval for 7 of 8 is 0.5291 to 0.9776, for 1 of 4 0.0456 to 0.6994.
    expect(estimate.low).toBeCloseTo(0.5625 - Math.hypot(0.875 - 0.5291, 0.25 - 0.0456) / 2, 3)
    expect(estimate.high).toBeCloseTo(0.5625 + Math.hypot(0.9776 - 0.875, 0.6994 - 0.25) / 2, 3)
    expect(estimate.interval).toBe('square-and-add')
  })
})
