import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { k3, tokenLoss } from './policy-loss.ts'

const options = { clipLow: 0.2, clipHigh: 0.28, klCoefficient: 0 }
const at = (ratio: number, advantage: number, change = {}) =>
  tokenLoss(Math.log(ratio), 0, undefined, advantage, { ...options, ...change })

describe('tokenLoss', () => {
  it('on-policy, is exactly -A, with gradient -A and ratio 1', () => {
    for (const logprob of [-0.1, -3.7, -11.125]) {
      expect(tokenLoss(logprob, logprob, undefined, 0.75, options)).toMatchObject({
        loss: -0.75,
        gradient: -0.75,
        ratio: 1,
        isClippedHigh: false,
        isClippedLow: false,
      })
    }
  })

  it.each([
    // ratio, advantage, loss, gradient: -min(r A, clip(r, 0.8, 1.28) A)
    [1.1, 0.5, -0.55, -0.55],
    [1.5, 0.5, -0.64, 0],
    [0.5, 0.5, -0.25, -0.25],
    [0.5, -0.5, 0.4, 0],
    [0.9, -0.5, 0.45, 0.45],
    [1.5, -0.5, 0.75, 0.75],
    [5, -0.5, 2.5, 2.5],
    [1.5, 0, 0, 0],
  ])('ratio %f, advantage %f: loss %f, gradient %f', (ratio, advantage, loss, gradient) => {
    const result = at(ratio, advantage)
    expect(result.loss).toBeCloseTo(loss, 10)
    expect(result.gradient).toBeCloseTo(gradient, 10)
  })

  it('bounds the loss of a negative advantage with dual clip', () => {
    expect(at(5, -0.5, { dualClip: 3 })).toMatchObject({ loss: 1.5, gradient: 0, isDualClipped: true })
    expect(at(2.5, -0.5, { dualClip: 3 }).gradient).toBeCloseTo(1.25, 10)
    expect(at(5, 0.5, { dualClip: 3 }).isDualClipped).toBe(false)
  })

  it('adds the KL term to loss and gradient', () => {
    // d = ln 2: k3 = 2 - ln 2 - 1 = 0.3068528, derivative 1 - 2 = -1
    const { loss, gradient, kl } = tokenLoss(-2, -2, -2 + Math.log(2), 0.5, {
      ...options,
      klCoefficient: 0.1,
    })
    expect(kl).toBeCloseTo(0.306_852_8, 6)
    expect(loss).toBeCloseTo(-0.5 + 0.030_685_28, 7)
    expect(gradient).toBeCloseTo(-0.6, 10)
  })

  it('has the derivative of its loss', () => {
    const logprob = fc.double({ min: -6, max: -0.01, noNaN: true })
    fc.assert(
      fc.property(logprob, logprob, logprob, fc.double({ min: -1, max: 1, noNaN: true }), (p, q, r, a) => {
        const all = { ...options, dualClip: 3, klCoefficient: 0.05 }
        const h = 1e-6
        const slope = (tokenLoss(p + h, q, r, a, all).loss - tokenLoss(p - h, q, r, a, all).loss) / (2 * h)
        const kinks = [Math.log(0.8), Math.log(1.28), Math.log(3)].map((log) => q + log)
        fc.pre(kinks.every((kink) => Math.abs(p - kink) > 1e-4) && k3(p, r).kl < 9.99)
        expect(Math.abs(slope - tokenLoss(p, q, r, a, all).gradient)).toBeLessThan(
          1e-4 * (1 + Math.abs(slope)),
        )
      }),
    )
  })
})

describe('k3', () => {
  it('is 0 where the policies agree, positive otherwise, and bounded where it would explode', () => {
    expect(k3(-1, -1)).toEqual({ kl: 0, derivative: 0 })
    expect(k3(-1, -3).kl).toBeCloseTo(Math.exp(-2) + 2 - 1, 10)
    expect(k3(-30, -1)).toEqual({ kl: 10, derivative: 0 })
    expect(k3(-1, -40).derivative).toBe(0)
  })
})
