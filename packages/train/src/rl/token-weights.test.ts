import { describe, expect, it } from 'vitest'
import { creditFactors } from './credit.ts'
import { overlongPunishment, overlongReward } from './overlong.ts'
import { type LossAggregation, tokenWeights } from './token-weights.ts'

const conversations = [
  { rollout: 'a', tokens: 2 },
  { rollout: 'a', tokens: 4 },
  { rollout: 'b', tokens: 10 },
]

describe('tokenWeights', () => {
  it.each<[LossAggregation, number[]]>([
    ['token-mean', [1 / 16, 1 / 16, 1 / 16]],
    ['conversation-mean', [1 / 6, 1 / 12, 1 / 30]],
    ['rollout-mean', [1 / 12, 1 / 12, 1 / 20]],
    ['conversation-sum', [1 / 24, 1 / 24, 1 / 24]],
  ])('%s', (aggregation, weights) => {
    expect(tokenWeights(conversations, aggregation, 8)).toEqual(weights)
  })

  it.each<[LossAggregation]>([['token-mean'], ['conversation-mean'], ['rollout-mean']])(
    '%s sums to 1 over all tokens',
    (aggregation) => {
      const weights = tokenWeights(conversations, aggregation)
      const total = weights.reduce((sum, weight, i) => sum + weight * conversations[i]!.tokens, 0)
      expect(total).toBeCloseTo(1, 12)
    },
  )
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

  it('credits nothing as final when there was no call for the answer', () => {
    expect(creditFactors(['update', 'update'], 'final')).toEqual([0, 0])
  })
})

describe('overlongPunishment', () => {
  it.each([
    [10, 0],
    [80, 0],
    [90, -0.5],
    [99, -0.95],
    [100, -1],
    [120, -1],
  ])('%i tokens of 100 with a buffer of 20: %f', (tokens, expected) => {
    expect(overlongPunishment(tokens, 100, 20)).toBeCloseTo(expected, 12)
  })

  it('is a mean over the conversations of a rollout', () => {
    const responses = [
      { tokens: 100, limit: 100 },
      { tokens: 10, limit: 100 },
    ]
    expect(overlongReward(responses, { buffer: 20, coefficient: 0.4 })).toBeCloseTo(-0.2, 12)
    expect(overlongReward([], { buffer: 20, coefficient: 0.4 })).toBe(0)
  })
})
