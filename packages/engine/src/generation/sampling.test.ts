import { describe, expect, it } from 'vitest'
import { sampleToken, uniformGenerator } from './sampling.ts'

const probabilities = Float32Array.of(0.1, 0.4, 0, 0.3, 0.2)
const frequencies = (topP: number, draws = 20_000) => {
  const uniform = uniformGenerator(11)
  const counts = new Array<number>(probabilities.length).fill(0)
  for (let i = 0; i < draws; i++) counts[sampleToken(probabilities, topP, uniform())]!++
  return counts.map((count) => count / draws)
}

describe('sampleToken', () => {
  it('draws every token with its probability', () => {
    frequencies(1).forEach((frequency, token) => {
      expect(Math.abs(frequency - probabilities[token]!)).toBeLessThan(0.015)
    })
  })

  it('with top-p draws from the smallest set that reaches it, in proportion', () => {
    const expected = [0, 0.4 / 0.7, 0, 0.3 / 0.7, 0]
    frequencies(0.65).forEach((frequency, token) => {
      expect(Math.abs(frequency - expected[token]!)).toBeLessThan(0.015)
    })
    expect(frequencies(0.39)).toEqual([0, 1, 0, 0, 0])
  })

  it('never draws a token of probability 0, at either end', () => {
    const rare = Float32Array.of(0, 1, 0)
    expect([0, 1 - 2 ** -32].map((uniform) => sampleToken(rare, 1, uniform))).toEqual([1, 1])
  })

  it('keeps all tokens of a flat distribution that top-p needs', () => {
    const flat = new Float32Array(1000).fill(1 / 1000)
    const uniform = uniformGenerator(5)
    const drawn = new Set(Array.from({ length: 20_000 }, () => sampleToken(flat, 0.5, uniform())))
    expect(Math.max(...drawn)).toBeLessThanOrEqual(500)
    expect(drawn.size).toBeGreaterThan(490)
  })
})

describe('uniformGenerator', () => {
  it('is uniform over [0, 1) and differs between seeds, large ones included', () => {
    const tenths = new Array<number>(10).fill(0)
    const uniform = uniformGenerator(1)
    for (let i = 0; i < 10_000; i++) tenths[Math.floor(uniform() * 10)]!++
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150)
    const first = [0, 1, 2, 2 ** 32, 2 ** 40 + 1, -1].map((seed) => uniformGenerator(seed)())
    expect(new Set(first).size).toBe(first.length)
  })
})
