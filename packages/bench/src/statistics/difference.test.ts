import { createRandom } from '@memagent/tasks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairedDifference } from './difference.ts'
import { newcombeInterval, type Pair } from './newcombe.ts'

const singles = (pairs: readonly Pair[]) => pairs.map((pair) => [pair])
const times = (count: number, pair: Pair) => Array.from({ length: count }, () => pair)

describe("Newcombe's interval of a paired difference", () => {
  it.each([
    // The paper's example: 0.0569 to 0.3404.
    [{ both: 36, firstOnly: 2, secondOnly: 12, neither: 0 }, 0.05692958, 0.3404276],
    [{ both: 20, firstOnly: 0, secondOnly: 0, neither: 44 }, -0.03654634, 0.03654634],
    [{ both: 43, firstOnly: 1, secondOnly: 0, neither: 0 }, -0.1180771, 0.05971801],
    [{ both: 8, firstOnly: 7, secondOnly: 1, neither: 16 }, -0.3438297, -0.01390002],
  ])('of %o agrees with an independent implementation', (table, low, high) => {
    const interval = newcombeInterval(
      singles([
        ...times(table.both, [1, 1]),
        ...times(table.firstOnly, [1, 0]),
        ...times(table.secondOnly, [0, 1]),
        ...times(table.neither, [0, 0]),
      ]),
    )
    expect(interval[0]).toBeCloseTo(low, 6)
    expect(interval[1]).toBeCloseTo(high, 6)
  })
})

describe('the paired difference', () => {
  it('of zeros and ones is second minus first, with McNemar and Newcombe', () => {
    const difference = pairedDifference(
      singles([...times(36, [1, 1]), ...times(12, [0, 1]), ...times(2, [1, 0])]),
    )
    expect(difference).toMatchObject({ value: 0.2, pairs: 50, better: 12, worse: 2, test: 'mcnemar' })
    expect(difference.pValue).toBeCloseTo(0.012939453125, 10)
    expect(difference.low).toBeCloseTo(0.0569, 4)
    expect(difference.high).toBeCloseTo(0.3404, 4)
  })

  it('of shares has the p-value of flipped signs, not of counts of better and worse', () => {
    const worse = pairedDifference(times(16, [0.75, 0.5]).map((pair) => [pair]))
    expect(worse).toMatchObject({ value: -0.25, worse: 16, test: 'sign-flip', pResolution: undefined })
    // 2 / 2^16, by hand.
    expect(worse.pValue).toBeCloseTo(0.000030517578125, 15)
    expect(worse.low).toBeLessThan(-0.26)
    expect(worse.high).toBeGreaterThan(-0.24)
    expect(worse.high).toBeLessThan(0)

    const differences = [0.5, 0.25, -0.25, 0.5, 0, 0, 0.75, 0.25, -0.5, 0.5, 0.25, 0]
    const difference = pairedDifference(singles(differences.map((d) => [0.5 - d / 2, 0.5 + d / 2])))
    expect(difference).toMatchObject({ pairs: 12, better: 7, worse: 2, test: 'sign-flip' })
    expect(difference.value).toBeCloseTo(0.1875, 12)
    expect(difference.pValue).toBeCloseTo(0.140625, 12)
    expect(difference.low).toBeLessThan(0)
  })

  it('of one question at many lengths is no more certain than of the question alone', () => {
    const once = pairedDifference(singles([...times(8, [0, 1]), ...times(4, [1, 0]), ...times(4, [1, 1])]))
    const often = pairedDifference([
      ...times(8, [0, 1]).map((pair) => times(9, pair)),
      ...times(4, [1, 0]).map((pair) => times(9, pair)),
      ...times(4, [1, 1]).map((pair) => times(9, pair)),
    ])
    expect(often.pairs).toBe(144)
    expect(often.low).toBeLessThan(0)
    expect(often.pValue).toBeGreaterThan(0.05)
    expect(once.pValue).toBeGreaterThan(0.05)
  })

  it('has a width even if the methods never differ', () => {
    const difference = pairedDifference(times(20, [0, 0]).map((pair) => times(3, pair)))
    expect(difference).toMatchObject({ value: 0, pValue: 1, pairs: 60 })
    expect(difference.high).toBeGreaterThan(0.05)
  })

  it('changes its sign, and nothing else, when the methods change places', () => {
    const bit = fc.constantFrom(0, 1)
    fc.assert(
      fc.property(fc.array(fc.tuple(bit, bit), { minLength: 1, maxLength: 40 }), (pairs) => {
        const forth = pairedDifference(singles(pairs))
        const back = pairedDifference(singles(pairs.map(([first, second]) => [second, first])))
        expect(forth.value).toBeCloseTo(-back.value, 12)
        expect(forth.low).toBeCloseTo(-back.high, 9)
        expect(forth.high).toBeCloseTo(-back.low, 9)
        expect(forth.pValue).toBe(back.pValue)
        expect(forth.low).toBeLessThanOrEqual(forth.value)
        expect(forth.high).toBeGreaterThanOrEqual(forth.value)
      }),
    )
  })
})

it('does not depend on the order of records', () => {
  const random = createRandom('order')
  const groups = Array.from({ length: 24 }, (): Pair[] =>
    Array.from({ length: 1 + random.int(2) }, () => [random.next(), random.next()]),
  )
  const { low, high, pValue, pResolution } = pairedDifference(groups)
  const turned = pairedDifference(groups.toReversed())
  expect(pResolution).toBeDefined()
  expect([turned.low, turned.high].map((bound) => bound.toFixed(12))).toEqual(
    [low, high].map((bound) => bound.toFixed(12)),
  )
  expect(turned.pValue).toBe(pValue)
})
