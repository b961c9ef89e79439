import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finalNormName, initialWeights, type LlamaConfig } from '../models/llama-config.ts'
import { createSession, type InferenceSession } from '../onnx/runtime.ts'
import { tinyLlama } from '../testing/tiny-llama.ts'
import { TextGenerator } from './generator.ts'
import { readLogprobs } from './prefill.ts'
import { createPrefillModel } from './prefill-graph.ts'
import { quantizeColumns } from './quantized-weights.ts'
import { uniformGenerator } from './sampling.ts'
import { Sequence } from './sequence.ts'

describe('quantizeColumns', () => {
  it('matches a calculation by hand', () => {
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

  it('gives the integers and scales on which the bundled model was measured', () => {
    const uniform = uniformGenerator(11)
    const matrix = Float32Array.from({ length: 96 * 160 }, () => (uniform() - 0.5) * 4)
    const { integers, scales } = quantizeColumns(matrix, 160)
    const hash = createHash('sha256').update(integers).update(new Uint8Array(scales.buffer))
    expect(hash.digest('hex')).toBe('4ceae0000d432a9d6c795bf3edf96cfa45f335294bb86a7bd23edcb64ca8b802')
  })
})

describe('a generator that verifies drafts with integers', () => {
  const config: LlamaConfig = {
    ...tinyLlama,
    ...{ vocabularySize: 101, hiddenSize: 64, intermediateSize: 96 },
    ...{ headDimension: 16, maxPositions: 256 },
  }
  const weights = initialWeights(config, 3)
  weights.get(finalNormName)!.fill(12)
  const prompt = (seed: number, length: number) => {
    const uniform = uniformGenerator(seed)
    return Array.from({ length }, () => Math.floor(uniform() * config.vocabularySize))
  }
  let exact: TextGenerator
  let quick: TextGenerator
  let integers: InferenceSession
  beforeAll(async () => {
    exact = await TextGenerator.create(config, weights)
    quick = await TextGenerator.create(config, weights, { precision: 'int8' })
    integers = await createSession(
      createPrefillModel(config, weights, { precision: 'int8', caches: false }),
      1,
    )
  })
  afterAll(async () => {
    await exact.release()
    await quick.release()
    await integers.release()
  })

  /** Next-token log-probabilities [V] after the prompt and after each further token, as integers give them. */
  async function logprobsByIntegers(
    promptTokens: number[],
    draftTokens: number[],
    session = integers,
  ): Promise<Float32Array[]> {
    const sequence = new Sequence({
      promptTokens,
      draftTokens,
      maxTokens: draftTokens.length + 1,
      stopTokens: [],
    })
    return readLogprobs(session, config, sequence)
  }

  it('has nearly, but not exactly, the distributions of one that reads with floats', async () => {
    const tokens = prompt(1, 120)
    const continuation = prompt(2, 30)
    const wanted = await exact.nextTokenLogprobs(tokens, continuation)
    const given = await logprobsByIntegers(tokens, continuation)
    // Kullback-Leibler divergence of every distribution, in nats, against the entropy of the exact one.
    const divergences = wanted.map((logprobs, row) =>
      logprobs.reduce((sum, logprob, token) => sum + Math.exp(logprob) * (logprob - given[row]![token]!), 0),
    )
    expect(Math.max(...divergences)).toBeLessThan(0.05)
    expect(Math.max(...divergences)).toBeGreaterThan(1e-7)
  })

  it('responds like one with floats wherever that is not the draft', async () => {
    const requests = [...Array(12).keys()].map((i) => ({
      promptTokens: prompt(30 + i, 20 + 3 * i),
      maxTokens: 8,
      stopTokens: [7],
      draftTokens: [[], prompt(50 + i, 5), prompt(50 + i, 8)][i % 3],
      temperature: i % 4 === 3 ? 1 : 0,
      logprobs: i % 2 === 0,
    }))
    expect(await quick.generate(requests)).toEqual(await exact.generate(requests))
    const [tokens, continuation] = [prompt(1, 40), prompt(2, 6)]
    expect(await quick.nextTokenLogprobs(tokens, continuation)).toEqual(
      await exact.nextTokenLogprobs(tokens, continuation),
    )
  })

  const bestOf = (logprobs: Float32Array) => logprobs.indexOf(Math.max(...logprobs))

  /** The first prompt after which integers prefer another token than floats, as a request with that token as its draft. */
  async function disputed(floats: TextGenerator, ints: InferenceSession) {
    for (let seed = 1000; seed < 1400; seed++) {
      const promptTokens = prompt(seed, 40)
      const [logprobs] = await logprobsByIntegers(promptTokens, [], ints)
      const request = { promptTokens, maxTokens: 1, stopTokens: [], draftTokens: [bestOf(logprobs!)] }
      const [float] = await floats.generate([request])
      if (float!.tokens[0] !== request.draftTokens[0]) return request
    }
    return expect.fail('integers and floats agree on every prompt')
  }

  it('leaves it to floats where integers prefer the draft, but are not sure', async () => {
    const request = await disputed(exact, integers)
    expect(await quick.generate([request])).toEqual(await exact.generate([request]))
  })

  it('accepts the draft if integers are sure, unless log-probabilities are wanted or tokens are sampled', async () => {
    const sharp = initialWeights(config, 3)
    sharp.get(finalNormName)!.fill(20_000)
    const graph = createPrefillModel(config, sharp, { precision: 'int8', caches: false })
    const sure = await createSession(graph, 1)
    const floats = await TextGenerator.create(config, sharp)
    const ints = await TextGenerator.create(config, sharp, { precision: 'int8' })
    const request = await disputed(floats, sure)
    expect((await ints.generate([request]))[0]).toMatchObject({
      tokens: request.draftTokens,
      acceptedDraftTokens: 1,
    })
    for (const more of [{ logprobs: true }, { temperature: 1, seed: 5 }]) {
      const asked = { ...request, ...more }
      expect(await ints.generate([asked])).toEqual(await floats.generate([asked]))
    }
    await Promise.all([floats.release(), ints.release(), sure.release()])
  })

  it('gives the same response alone, in a batch, and beside prompts with a common beginning', async () => {
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
