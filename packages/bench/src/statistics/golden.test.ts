/** Checks statistics against values that `__fixtures__/generate.py` counted or drew by other means. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gaffkeInterval } from './gaffke.ts'
import { exactMcNemar } from './mcnemar.ts'
import { signFlipTest } from './sign-flip.ts'

type Bounds = readonly [low: number, high: number]

interface Golden {
  readonly signFlip: readonly { readonly differences: readonly number[]; readonly pValue: number }[]
  readonly binomial: readonly { readonly worse: number; readonly better: number; readonly pValue: number }[]
  readonly clopperPearson: readonly {
    readonly right: number
    readonly count: number
    readonly bounds: Bounds
  }[]
  readonly gaffke: readonly { readonly values: readonly number[]; readonly bounds: Bounds }[]
}

const path = join(import.meta.dirname, '__fixtures__/statistics.json')
const golden = JSON.parse(await readFile(path, 'utf8')) as Golden

const differencesOf = (worse: number, better: number) => [...Array(worse).fill(-1), ...Array(better).fill(1)]
/** Tolerance for 10,000 draws; the reference has 400,000. */
const drawn = 0.012

describe('p-values', () => {
  it('of the sign-flip test are those of counting every sign in fractions', () => {
    for (const { differences, pValue } of golden.signFlip) {
      expect(signFlipTest(differences), String(differences)).toEqual({
        pValue: expect.closeTo(pValue, 12),
        resolution: undefined,
      })
    }
  })

  it('of McNemar are those of the binomial test, and so are sign flips of -1 and 1', () => {
    for (const { worse, better, pValue } of golden.binomial) {
      expect(exactMcNemar(worse, better)).toBeCloseTo(pValue, 10)
      expect(signFlipTest(differencesOf(worse, better)).pValue).toBeCloseTo(pValue, 10)
    }
  })

  it('of many uneven differences are drawn, say to which step, and are near the exact ones', () => {
    const thousandths = Array.from({ length: 40 }, (_, i) => (((i * 37) % 97) - 41) / 97)
    const exact = signFlipTest(thousandths.map((one) => Math.round(one * 97) / 16))
    const { pValue, resolution } = signFlipTest(thousandths.map((one) => one + 1e-7 * Math.round(one * 1e6)))
    expect(exact.resolution).toBeUndefined()
    expect(resolution).toBeCloseTo(1e-4, 6)
    expect(pValue).toBeGreaterThan(0.01)
    expect(Math.abs(pValue - exact.pValue)).toBeLessThan(0.02)
    const allWorse = signFlipTest(Array.from({ length: 40 }, (_, i) => -Math.sqrt(i + 1) / 7))
    expect(allWorse.pValue).toBe(allWorse.resolution)
  })
})

describe("Gaffke's interval", () => {
  it('of zeros and ones is that of Clopper and Pearson', () => {
    for (const { right, count, bounds } of golden.clopperPearson) {
      const values = Array.from({ length: count }, (_, i) => [i < right ? 1 : 0])
      const interval = gaffkeInterval(values)
      expect(Math.abs(interval[0] - bounds[0]), `${right} of ${count}`).toBeLessThan(drawn)
      expect(Math.abs(interval[1] - bounds[1]), `${right} of ${count}`).toBeLessThan(drawn)
    }
  })

  it('of shares is that of another program', () => {
    for (const { values, bounds } of golden.gaffke) {
      const interval = gaffkeInterval(values.map((value) => [value]))
      expect(Math.abs(interval[0] - bounds[0]), String(values)).toBeLessThan(drawn)
      expect(Math.abs(interval[1] - bounds[1]), String(values)).toBeLessThan(drawn)
    }
  })
})
