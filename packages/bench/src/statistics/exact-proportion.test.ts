import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactProportion } from './exact-proportion.ts'

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
