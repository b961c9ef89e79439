import { describe, expect, it } from 'vitest'
import { adamWStep, createAdamWState } from './adamw.ts'
import { warmupThenDecay } from './schedule.ts'

const options = { learningRate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 0, weightDecay: 0.5, clipNorm: 100 }

describe('adamWStep', () => {
  it('takes the steps calculated by hand', () => {
    const weights = new Map([['w', Float32Array.of(1)]])
    const gradients = new Map([['w', Float32Array.of(2)]])
    const state = createAdamWState(weights)
    // First step: m/(1-b1) = 2, sqrt(v/(1-b2)) = 2, so the update is the rate; decay takes 5 % first: 0.95 - 0.1.
    expect(adamWStep(weights, gradients, state, options)).toBe(2)
    expect(weights.get('w')![0]).toBeCloseTo(0.85, 6)
    expect(gradients.get('w')![0]).toBe(0)
    // Second, gradient -1: m = 0.9*0.2 - 0.1 = 0.08, v = 0.99*0.04 + 0.01 = 0.0496.
    gradients.get('w')![0] = -1
    adamWStep(weights, gradients, state, options)
    const update = (0.1 * (0.08 / (1 - 0.81))) / Math.sqrt(0.0496 / (1 - 0.9801))
    expect(weights.get('w')![0]).toBeCloseTo(0.85 * 0.95 - update, 6)
  })

  it('refuses a gradient that is not finite, and changes nothing', () => {
    const weights = new Map([['w', Float32Array.of(1)]])
    const state = createAdamWState(weights)
    const gradients = new Map([['w', Float32Array.of(Number.NaN)]])
    expect(() => adamWStep(weights, gradients, state, options)).toThrow(
      'The training diverged: the norm of the gradient is NaN.',
    )
    expect([state.step, weights.get('w')![0]]).toEqual([0, 1])
  })

  it('clips by the norm over all parameters and does not decay norms', () => {
    const weights = new Map([
      ['a', Float32Array.of(0)],
      ['layernorm', Float32Array.of(1)],
    ])
    const gradients = new Map([
      ['a', Float32Array.of(3)],
      ['layernorm', Float32Array.of(4)],
    ])
    const state = createAdamWState(weights)
    expect(adamWStep(weights, gradients, state, { ...options, clipNorm: 1 })).toBe(5)
    expect(state.m.get('a')![0]).toBeCloseTo(0.1 * 0.6, 6)
    expect(weights.get('layernorm')![0]).toBeCloseTo(1 - 0.1, 6)
  })
})

describe('warmupThenDecay', () => {
  it('rises linearly, falls as half a cosine, and stays', () => {
    const schedule = { peak: 1, final: 0.2, warmupSteps: 4, totalSteps: 12 }
    expect([0, 1, 3, 4, 8, 12, 99].map((step) => Number(warmupThenDecay(step, schedule).toFixed(6)))).toEqual(
      [0.25, 0.5, 1, 1, 0.6, 0.2, 0.2],
    )
  })
})
