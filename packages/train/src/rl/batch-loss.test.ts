import { describe, expect, it } from 'vitest'
import { groupAdvantages } from './advantages.ts'
import { batchLoss, type LossAggregation, type TrainingConversation, tokenWeights } from './batch-loss.ts'

/**
 * Worked out by hand: two groups of two rollouts each. Group 1 has rewards 1 and 0 (advantages 0.5 and -0.5), group 2 has
 * 1 and 1 (advantages 0). The first rollout has two conversations of 2 and 1 tokens, its rival one of 1 token; the second
 * group adds one conversation of 4 tokens. T = 8.
 */
const [better, worse] = groupAdvantages([1, 0])
const [idle] = groupAdvantages([1, 1])
const conversation = (
  rollout: string,
  advantage: number,
  oldLogprobs: readonly number[],
  referenceLogprobs: readonly number[],
): TrainingConversation => ({
  promptTokens: [1],
  responseTokens: oldLogprobs.map((_, i) => i),
  logprobs: Float32Array.from(oldLogprobs),
  referenceLogprobs: Float32Array.from(referenceLogprobs),
  advantage,
  rollout,
})
const batch = [
  conversation('1/0', better!, [-1, -2], [-1, -2]),
  conversation('1/0', better!, [-0.5], [-0.5 + Math.log(2)]),
  conversation('1/1', worse!, [-1.5], [-1.5]),
  conversation('2/0', idle!, [-1, -1, -1, -1], [-1, -1, -1, -1]),
]
/** Ratios 1 and 1.5 (clipped at 1.2); 1; 0.5 (clipped at 0.8); 1, 1, 1, 2. */
const logprobs = [
  [-1, -2 + Math.log(1.5)],
  [-0.5],
  [-1.5 + Math.log(0.5)],
  [-1, -1, -1, -1 + Math.log(2)],
].map((values) => Float32Array.from(values))
const options = { clipLow: 0.2, clipHigh: 0.2, klCoefficient: 0, aggregation: 'token-mean' } as const

describe('batchLoss', () => {
  it('matches a calculation by hand, token by token', () => {
    const { loss, gradients, metrics } = batchLoss(batch, logprobs, options)
    // -(0.5 * 1 + 0.5 * 1.2 + 0.5 * 1 - 0.5 * 0.8 + 0) / 8
    expect(loss).toBeCloseTo(-(0.5 + 0.6 + 0.5 - 0.4) / 8, 7)
    const expected = [[-0.5 / 8, 0], [-0.5 / 8], [0], [0, 0, 0, 0]]
    gradients.forEach((gradient, i) => {
      gradient.forEach((value, t) => {
        expect(value).toBeCloseTo(expected[i]![t]!, 7)
      })
    })
    expect(metrics).toMatchObject({ tokens: 8, clippedHigh: 1 / 8, clippedLow: 1 / 8, dualClipped: 0 })
    expect(metrics.ratioDeviation).toBeCloseTo((0.5 + 0.5 + 1) / 8, 6)
    expect(metrics.largestRatioDeviation).toBeCloseTo(1, 6)
  })

  it('adds KL to the reference, even where the advantage is zero', () => {
    const { loss, gradients } = batchLoss(batch, logprobs, { ...options, klCoefficient: 0.4 })
    // d = reference - present: [0, -ln 1.5], [ln 2], [ln 2], [0, 0, 0, -ln 2]
    const kls = [
      0,
      1 / 1.5 + Math.log(1.5) - 1,
      2 - Math.log(2) - 1,
      2 - Math.log(2) - 1,
      0,
      0,
      0,
      0.5 + Math.log(2) - 1,
    ]
    expect(loss).toBeCloseTo((-1.2 + 0.4 * kls.reduce((a, b) => a + b, 0)) / 8, 6)
    const expected = [
      [-0.5, 0.4 * (1 - 1 / 1.5)],
      [-0.5 + 0.4 * (1 - 2)],
      [0.4 * (1 - 2)],
      [0, 0, 0, 0.4 * (1 - 0.5)],
    ]
    gradients.forEach((gradient, i) => {
      gradient.forEach((value, t) => {
        expect(value).toBeCloseTo(expected[i]![t]! / 8, 6)
      })
    })
  })

  it('has no policy gradient for a group without signal', () => {
    const { gradients, loss } = batchLoss([batch[3]!], [logprobs[3]!], options)
    expect(Math.abs(loss)).toBe(0)
    expect([...gradients[0]!].every((value) => value === 0)).toBe(true)
  })

  it('weights conversations equally on request', () => {
    const { loss } = batchLoss(batch, logprobs, { ...options, aggregation: 'conversation-mean' })
    expect(loss).toBeCloseTo(-((0.5 + 0.6) / 2 + 0.5 - 0.4 + 0) / 4, 7)
    const { loss: byRollout } = batchLoss(batch, logprobs, { ...options, aggregation: 'rollout-mean' })
    expect(byRollout).toBeCloseTo(-((0.5 + 0.6 + 0.5) / 3 - 0.4 + 0) / 3, 7)
  })
})

const sizes = [
  { rollout: 'a', responseTokens: [1, 2] },
  { rollout: 'a', responseTokens: [1, 2, 3, 4] },
  { rollout: 'b', responseTokens: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
]

describe('tokenWeights', () => {
  it.each<[LossAggregation, number[]]>([
    ['token-mean', [1 / 16, 1 / 16, 1 / 16]],
    ['conversation-mean', [1 / 6, 1 / 12, 1 / 30]],
    ['rollout-mean', [1 / 12, 1 / 12, 1 / 20]],
    ['conversation-sum', [1 / 24, 1 / 24, 1 / 24]],
  ])('%s', (aggregation, weights) => {
    expect(tokenWeights(sizes, aggregation, 8)).toEqual(weights)
  })

  it.each<[LossAggregation]>([['token-mean'], ['conversation-mean'], ['rollout-mean']])(
    '%s sums to 1 over all tokens',
    (aggregation) => {
      const weights = tokenWeights(sizes, aggregation)
      const total = weights.reduce((sum, weight, i) => sum + weight * sizes[i]!.responseTokens.length, 0)
      expect(total).toBeCloseTo(1, 12)
    },
  )
})
