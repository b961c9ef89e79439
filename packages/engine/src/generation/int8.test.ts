import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finalNormName, initialWeights, type LlamaConfig } from '../models/llama-config.ts'
import { Generator } from './generator.ts'
import { quantizeColumns } from './quantized-weights.ts'
import { uniformGenerator } from './sampling.ts'

describe('quantizeColumns', () => {
  it('is worked out by hand', () => {
    // Columns [1, -2], [0, 0], [0.5, 0.25]: the largest becomes 64, half of it 32.
    const { integers, scales } = quantizeColumns(Float32Array.of(1, 0, 0.5, -2, 0, 0.25), 3)
    expect([...integers]).toEqual([32, 0, 64, -64, 0, 32])
    expect([...scales]).toEqual([2 / 64, 1, 0.5 / 64].map(Math.fround))
  })

  it('is never off by more than half a step of its column', () => {
    const weight = fc.float({ min: -8, max: 8, noNaN: true })
    fc.assert(
      fc.property(fc.array(weight, { minLength: 12, maxLength: 12 }), (values) => {
        const { integers, scales } = quantizeColumns(Float32Array.from(values), 3)
        for (const [i, value] of values.entries()) {
          const scale = scales[i % 3]!
          expect(Math.abs(integers[i]! * scale - value)).toBeLessThanOrEqual(scale * 0.5001)
          expect(Math.abs(integers[i]!)).toBeLessThanOrEqual(64)
        }
      }),
    )
  })
})

describe('a generator that reads with integers', () => {
  const config: LlamaConfig = {
    vocabularySize: 101,
    hiddenSize: 64,
    intermediateSize: 96,
    layers: 2,
    heads: 4,
    keyValueHeads: 2,
    headDimension: 16,
    ropeTheta: 10_000,
    rmsNormEpsilon: 1e-5,
    maxPositions: 256,
  }
  const weights = initialWeights(config, 3)
  weights.get(finalNormName)!.fill(12)
  const prompt = (seed: number, length: number) => {
    const uniform = uniformGenerator(seed)
    return Array.from({ length }, () => Math.floor(uniform() * config.vocabularySize))
  }
  let exact: Generator
  let quick: Generator
  beforeAll(async () => {
    exact = await Generator.create(config, weights)
    quick = await Generator.create(config, weights, { precision: 'int8' })
  })
  afterAll(async () => {
    await exact.release()
    await quick.release()
  })

  it('gives nearly the distribution of one that reads with floats, and not the same', async () => {
    const tokens = prompt(1, 120)
    const continuation = prompt(2, 30)
    const wanted = await exact.nextTokenLogprobs(tokens, continuation)
    const given = await quick.nextTokenLogprobs(tokens, continuation)
    // Kullback-Leibler divergence of every distribution, in nats, against the entropy of the exact one.
    const divergences = wanted.map((logprobs, row) =>
      logprobs.reduce((sum, logprob, token) => sum + Math.exp(logprob) * (logprob - given[row]![token]!), 0),
    )
    expect(Math.max(...divergences)).toBeLessThan(0.05)
    expect(Math.max(...divergences)).toBeGreaterThan(1e-7)
  })

  it('gives the same response alone, in a batch, and beside prompts that begin alike', async () => {
    const shared = prompt(5, 60)
    const requests = [...Array(6).keys()].map((i) => ({
      promptTokens: i < 3 ? [...shared, ...prompt(10 + i, 9)] : prompt(10 + i, 40 + i),
      maxTokens: 12,
      stopTokens: [],
      draftTokens: prompt(20 + i, 5),
    }))
    const together = await quick.generate(requests)
    for (const [i, request] of requests.entries()) {
      const [alone] = await quick.generate([request])
      expect(alone!.tokens).toEqual(together[i]!.tokens)
    }
  })
})
