import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { creditFactors, groupAdvantages, hasSignal, stepAdvantages } from './advantages.ts'

describe('groupAdvantages', () => {
  it.each([
    [
      [1, 0, 0, 1],
      [0.5, -0.5, -0.5, 0.5],
    ],
    [
      [1, 0, 0, 0],
      [0.75, -0.25, -0.25, -0.25],
    ],
    [
      [0.25, 0.75],
      [-0.25, 0.25],
    ],
    [
      [1, 1, 1],
      [0, 0, 0],
    ],
    [[0.7], [0]],
    // Their mean is not 0.1 in binary; rounding must not become a signal.
    [
      [0.1, 0.1, 0.1],
      [0, 0, 0],
    ],
    [[], []],
  ])('%j gives %j', (rewards, advantages) => {
    expect(groupAdvantages(rewards)).toEqual(advantages)
  })

  it('divides by the deviation on request', () => {
    // mean 0.25, deviation sqrt((0.75^2 + 3 * 0.25^2) / 4) = 0.4330127
    const [first, second] = groupAdvantages([1, 0, 0, 0], { normalization: 'deviation' })
    expect(first).toBeCloseTo(0.75 / 0.433_012_7, 4)
    expect(second).toBeCloseTo(-0.25 / 0.433_012_7, 4)
    expect(groupAdvantages([1, 1], { normalization: 'deviation' })).toEqual([0, 0])
  })

  it('is the reward itself without a baseline, where rewards differ', () => {
    expect(groupAdvantages([1, 0, 0, 1], { baseline: 'none' })).toEqual([1, 0, 0, 1])
    expect(groupAdvantages([0.25, 0.75], { baseline: 'none' })).toEqual([0.25, 0.75])
    expect(groupAdvantages([1, 1, 1], { baseline: 'none' })).toEqual([0, 0, 0])
  })

  it('sums to zero', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1 }), (rewards) => {
        expect(groupAdvantages(rewards).reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 6)
      }),
    )
  })

  it('names a reward that is not finite', () => {
    expect(() => groupAdvantages([1, Number.NaN])).toThrow(/reward of rollout 1 of a group is NaN/)
  })
})

describe('stepAdvantages', () => {
  it('centres every step over the rollouts that reached it', () => {
    // Step 0: mean 0.4; step 1: mean 0.5; only the second rollout reached step 2.
    const advantages = stepAdvantages(
      [0.5, -0.5],
      [
        [0.6, 1],
        [0.2, 0, 0.3],
      ],
      0.8,
    )
    const expected = [
      [0.4 + 0.2 * 0.2, 0.4 + 0.2 * 0.5],
      [-0.4 - 0.2 * 0.2, -0.4 - 0.2 * 0.5, -0.4],
    ]
    advantages.forEach((steps, i) => {
      steps.forEach((value, step) => {
        expect(value).toBeCloseTo(expected[i]![step]!, 12)
      })
    })
  })
})

describe('hasSignal', () => {
  it.each([
    [[0, 0, 0], false],
    [[1, 1], false],
    [[0.5], false],
    [[0, 1e-12], false],
    [[0, 0, 1], true],
    [[0.5, 0.75], true],
  ])('of %j is %j', (rewards, expected) => {
    expect(hasSignal(rewards)).toBe(expected)
  })
})

describe('creditFactors', () => {
  const kinds = ['update', 'update', 'update', 'answer']
  it.each([
    ['all', [1, 1, 1, 1]],
    ['split', [0.25, 0.25, 0.25, 0.25]],
    ['final', [0, 0, 0, 1]],
  ] as const)('%s', (credit, factors) => {
    expect(creditFactors(kinds, credit)).toEqual(factors)
  })

  it('credits nothing as final when no call was made for the answer', () => {
    expect(creditFactors(['update', 'update'], 'final')).toEqual([0, 0])
  })
})
