import { describe, expect, it } from 'vitest'
import { overlongPunishment, overlongReward } from './rewards.ts'

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
      { responseTokens: new Array(100).fill(1), maxTokens: 100 },
      { responseTokens: new Array(10).fill(1), maxTokens: 100 },
    ]
    expect(overlongReward(responses, { buffer: 20, coefficient: 0.4 })).toBeCloseTo(-0.2, 12)
    expect(overlongReward([], { buffer: 20, coefficient: 0.4 })).toBe(0)
  })
})
