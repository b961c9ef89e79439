import { describe, expect, it } from 'vitest'
import { bootstrapMeans, percentile } from './bootstrap.ts'
import { estimateMean, estimateMeanOverStrata } from './mean.ts'

const singles = (values: readonly number[]) => values.map((value) => [value])

describe('the percentile bootstrap', () => {
  it('gives the percentiles of the binomial distribution for zeros and ones (SciPy: binom.ppf, 64 draws of 30/64)', () => {
    const groups = singles(Array.from({ length: 64 }, (_, i) => (i < 30 ? 1 : 0)))
    const means = bootstrapMeans([groups])
    expect(means).toHaveLength(10_000)
    expect(percentile(means, 0.025)).toBeCloseTo(0.34375, 10)
    expect(percentile(means, 0.975)).toBeCloseTo(0.59375, 10)
  })

  it('interpolates percentiles as NumPy does: 2.5 % of 0, 1, 2, 3 is 0.075', () => {
    expect(percentile(Float64Array.of(0, 1, 2, 3), 0.025)).toBeCloseTo(0.075, 12)
    expect(percentile(Float64Array.of(0, 1, 2, 3), 1)).toBe(3)
  })

  it('gives the same resamples for the same seed, and others for another', () => {
    const groups = singles([0, 0.25, 0.5, 0.7, 1])
    expect(bootstrapMeans([groups], { seed: 3 })).toEqual(bootstrapMeans([groups], { seed: 3 }))
    expect(bootstrapMeans([groups], { seed: 3 })).not.toEqual(bootstrapMeans([groups], { seed: 4 }))
  })
})

describe('the mean of a metric', () => {
  it("has Wilson's interval for zeros and ones", () => {
    const estimate = estimateMean(singles([...Array(30).fill(1), ...Array(34).fill(0)]))
    expect(estimate).toMatchObject({ count: 64, groups: 64, interval: 'wilson', value: 30 / 64 })
    expect(estimate.low).toBeCloseTo(0.3517598743, 6)
  })

  it('has the bootstrap interval for shares (SciPy: bootstrap, percentile, 200,000 resamples: 0.4375 to 0.8125)', () => {
    const estimate = estimateMean(singles([0, 0.25, 0.25, 0.5, 0.5, 0.75, 1, 1, 1, 1, 0.5, 0.75]))
    expect(estimate).toMatchObject({ value: 0.625, count: 12, interval: 'bootstrap' })
    expect(Math.abs(estimate.low - 0.4375)).toBeLessThan(0.021)
    expect(Math.abs(estimate.high - 0.8125)).toBeLessThan(0.021)
  })

  it('draws the values of one question together (NumPy, 400,000 resamples of these groups: 0.25 to 0.80)', () => {
    const groups = [[1, 1, 0], [0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [1, 1, 1], [1], [0, 0]]
    const estimate = estimateMean(groups)
    expect(estimate).toMatchObject({ count: 21, groups: 8, interval: 'bootstrap' })
    expect(estimate.value).toBeCloseTo(11 / 21, 12)
    expect(Math.abs(estimate.low - 0.25)).toBeLessThan(0.021)
    expect(Math.abs(estimate.high - 0.8)).toBeLessThan(0.021)
  })

  it('keeps a width where all values are alike, by the number of independent groups', () => {
    expect(estimateMean(singles(Array(16).fill(0)))).toMatchObject({ low: 0, interval: 'wilson' })
    expect(estimateMean(singles(Array(16).fill(0))).high).toBeCloseTo(0.1936, 4)
    const halves = estimateMean(singles(Array(16).fill(0.5)))
    expect(halves.high - halves.low).toBeGreaterThan(0.3)
    const grouped = estimateMean(Array.from({ length: 16 }, () => [1, 1, 1, 1]))
    expect(grouped.low).toBeCloseTo(1 - 0.1936, 4)
  })

  it('is NaN without values', () => {
    expect(estimateMean([])).toMatchObject({ value: Number.NaN, low: Number.NaN, high: Number.NaN, count: 0 })
  })

  it('over strata weighs each stratum the same', () => {
    const estimate = estimateMeanOverStrata([singles([1, 1, 1, 1, 1, 1, 0, 1]), singles([0, 0, 1, 0])])
    expect(estimate.value).toBeCloseTo((0.875 + 0.25) / 2, 12)
    expect(estimate.count).toBe(12)
    expect(estimate.low).toBeLessThan(estimate.value)
    expect(estimate.high).toBeGreaterThan(estimate.value)
  })
})
