import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cluster, clusteredProportion, exactProportion } from './exact-proportion.ts'

describe("Clopper and Pearson's interval", () => {
  it.each([
    [0, 16, 0, 0.205_907_214_207_822_3],
    [1, 113, 0.000_224_026_300_093_577_4, 0.048_320_648_564_104_715],
    [30, 64, 0.342_796_528_939_605_7, 0.597_690_155_401_648_8],
    [64, 64, 0.943_990_910_613_363_4, 1],
    [250, 300, 0.786_244_321_200_109_3, 0.873_694_308_111_34],
    [2, 186_440, 1.299_129_888_143_626_5e-6, 3.875_019_545_107_892_6e-5],
    [36, 168_358, 0.000_149_768_292_984_947_66, 0.000_296_018_757_878_868_4],
    [0, 1_000_000, 0, 3.688_872_650_897_376e-6],
    [7000, 9_000_000, 0.000_759_669_822_659_967_1, 0.000_796_208_119_840_755_7],
  ])('of %i in %i agrees with SciPy (binomtest, method exact)', (right, count, low, high) => {
    const interval = exactProportion(right, count)
    expect(interval.value).toBe(right / count)
    expect(Math.abs(interval.low - low)).toBeLessThanOrEqual(1e-6 * low)
    expect(Math.abs(interval.high - high)).toBeLessThanOrEqual(1e-6 * high)
  })

  it('says nothing without samples', () => {
    expect(exactProportion(0, 0)).toMatchObject({ value: Number.NaN, low: Number.NaN, high: Number.NaN })
  })

  it('has tails of at most 2.5 % at its ends, counted', () => {
    const tail = (count: number, p: number, from: number, to: number) => {
      let [sum, choose] = [0, 1]
      for (let k = 0; k <= to; k++) {
        if (k > 0) choose *= (count - k + 1) / k
        if (k >= from) sum += choose * p ** k * (1 - p) ** (count - k)
      }
      return sum
    }
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (count, share) => {
          const right = Math.round(share * count)
          const { low, high } = exactProportion(right, count)
          if (right > 0) expect(tail(count, low, right, count)).toBeCloseTo(0.025, 8)
          if (right < count) expect(tail(count, high, 0, right)).toBeCloseTo(0.025, 8)
        },
      ),
    )
  })
})

describe('the interval of clusters', () => {
  const cluster = (right: number, count: number): Cluster => ({ right, count })
  it.each<[string, readonly Cluster[], number, number]>([
    [
      'of different shares',
      [cluster(1, 5), cluster(0, 5), cluster(3, 7), cluster(0, 2), cluster(2, 9)],
      0.082_960_612_387_638_5,
      0.409_531_026_505_828_1,
    ],
    [
      'of which one has all losses',
      [cluster(5, 500), ...Array.from({ length: 39 }, () => cluster(0, 500))],
      6.324_435_730_111_508e-6,
      0.001_392_354_689_900_42,
    ],
    ['without any', Array.from({ length: 20 }, () => cluster(0, 100)), 0, 0.001_842_739_793_405_936_4],
    ['that are right throughout', [cluster(3, 3), cluster(4, 4)], 0.590_383_602_774_996_6, 1],
  ])('%s agrees with that of SciPy’s beta distribution', (_, clusters, low, high) => {
    const interval = clusteredProportion(clusters)
    expect(interval.low).toBeCloseTo(low, 9)
    expect(interval.high).toBeCloseTo(high, 9)
    expect(interval.value).toBe(interval.right / interval.count)
  })

  it('counts what is the same in a cluster once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 2, max: 9 }), (right, times) => {
        const draws = (count: number) =>
          Array.from({ length: 30 }, (_, i) => cluster(i < right ? count : 0, count))
        const [once, repeated] = [draws(1), draws(times)].map(clusteredProportion)
        expect(repeated).toMatchObject({ right: times * right, count: 30 * times, value: once!.value })
        expect(repeated!.low).toBeCloseTo(once!.low, 9)
        expect(repeated!.high).toBeCloseTo(once!.high, 9)
      }),
    )
  })

  it('says nothing without draws', () => {
    expect(clusteredProportion([])).toMatchObject({ count: 0, value: Number.NaN, low: Number.NaN })
  })
})
