import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Weights } from '../models/llama-config.ts'
import { InferenceSession } from '../onnx/runtime.ts'
import { TrainingSession } from '../training/training-session.ts'
import { TextGenerator } from './generator.ts'
import type { GenerationRequest, GenerationResult } from './request.ts'
import { config, decidedWeights, randomTokens, request } from './testing/random-model.ts'

const weights = decidedWeights()
const generator = await TextGenerator.create(config, weights, { maxBatch: 5 })
afterAll(() => generator.release())

const one = async (request: GenerationRequest) => (await generator.generate([request]))[0]!

/** Log-probabilities and first choices of the training graph for the response after the prompt. */
async function trainingForward(
  promptTokens: ArrayLike<number>,
  response: readonly number[],
  ofWeights: Weights = weights,
) {
  const session = await TrainingSession.create(config, ofWeights)
  const tokens = Int32Array.from([...Array.from(promptTokens), ...response])
  const result = await session.forward({
    rows: 1,
    rowLength: tokens.length,
    tokens,
    positions: Int32Array.from(tokens, (_, i) => i),
    group: new Int32Array(tokens.length),
    branch: new Int32Array(tokens.length),
    targetRows: Int32Array.from(response, (_, i) => promptTokens.length - 1 + i),
    targets: Int32Array.from(response),
    coefficients: new Float32Array(response.length),
  })
  await session.release()
  return result
}

describe('Generator', () => {
  it('returns the log-probabilities of the training graph, across rebuilt caches, drafts and batches', async () => {
    const requests = [
      request(1, 5, { temperature: 1, maxTokens: 150, stopTokens: [], logprobs: true }),
      request(2, 90, { temperature: 0.7, topP: 0.9, maxTokens: 140, stopTokens: [], logprobs: true }),
      request(3, 33, { maxTokens: 70, stopTokens: [], logprobs: true }),
      request(4, 34, { temperature: 1.5, logprobs: true, draftTokens: randomTokens(9, 12) }),
    ]
    const results = await generator.generate(requests)
    for (const [i, { tokens, logprobs }] of results.entries()) {
      const wanted = await trainingForward(requests[i]!.promptTokens, tokens)
      const worst = Math.max(...logprobs!.map((logprob, t) => Math.abs(logprob - wanted.logprobs[t]!)))
      expect(logprobs).toHaveLength(tokens.length)
      expect(worst).toBeLessThan(1e-4)
    }
  })

  it('sees nothing that comes later, however much attention it would attract', async () => {
    const sharp: Weights = new Map([...weights].map(([name, values]) => [name, values.slice()]))
    for (const [name, values] of sharp) {
      if (!name.includes('q_proj')) continue
      for (let i = 0; i < values.length; i++) values[i] = values[i]! * 60
    }
    const attentive = await TextGenerator.create(config, sharp)
    const prompt = randomTokens(40, 120)
    const continuation = randomTokens(41, 100)
    const rows = await attentive.nextTokenLogprobs(prompt, continuation)
    const wanted = await trainingForward(prompt, continuation, sharp)
    for (const [t, token] of continuation.entries()) {
      expect(rows[t]![token]!).toBeCloseTo(wanted.logprobs[t]!, 2)
    }
    await attentive.release()
  })

  it('is greedy at temperature 0: every token is the first choice of the training graph', async () => {
    const asked = request(5, 41, { maxTokens: 100, stopTokens: [] })
    const { tokens, finishReason } = await one(asked)
    const { correct } = await trainingForward(asked.promptTokens, tokens)
    expect(tokens).toHaveLength(100)
    expect([...correct].every((flag) => flag === 1)).toBe(true)
    expect(finishReason).toBe('length')
  })

  it('returns whole distributions along a text, the ones that it samples from', async () => {
    const asked = request(12, 30, { temperature: 1, maxTokens: 15, stopTokens: [], logprobs: true })
    const { tokens, logprobs } = await one(asked)
    const rows = await generator.nextTokenLogprobs(asked.promptTokens, tokens.slice(0, -1))
    expect(rows).toHaveLength(tokens.length)
    for (const [i, row] of rows.entries()) {
      expect(row[tokens[i]!]).toBeCloseTo(logprobs![i]!, 4)
      expect(row.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 4)
    }
    await expect(generator.nextTokenLogprobs([500])).rejects.toThrow('Token 0 of the prompt is 500')
  })

  it('reads to its last position even if that is not a multiple of the blocks', async () => {
    const short = await TextGenerator.create({ ...config, maxPositions: 10 }, weights)
    const asked = request(13, 9, { maxTokens: 1, stopTokens: [] })
    expect((await short.generate([asked]))[0]!.tokens).toEqual((await one(asked)).tokens)
    await short.release()
  })

  it('ends with the first stop token, which is part of the response', async () => {
    const endless = await one(request(6, 20, { temperature: 1, maxTokens: 60, stopTokens: [] }))
    const at = endless.tokens.findIndex((token, i) => i > 3 && endless.tokens.indexOf(token) === i)
    const stopped = await one(
      request(6, 20, { temperature: 1, maxTokens: 60, stopTokens: [endless.tokens[at]!] }),
    )
    expect(stopped.tokens).toEqual(endless.tokens.slice(0, at + 1))
    expect(stopped.finishReason).toBe('stop')
  })

  it('gives the same response alone, in a batch, and in concurrent calls', async () => {
    const requests = Array.from({ length: 17 }, (_, i) =>
      request(20 + i, 1 + ((i * 37) % 120), {
        temperature: i % 3 === 0 ? 0 : 1,
        topP: i % 2 === 0 ? 1 : 0.8,
        maxTokens: 1 + ((i * 29) % 90),
      }),
    )
    const alone: GenerationResult[] = []
    for (const each of requests) alone.push(await one(each))
    expect(await generator.generate(requests)).toEqual(alone)
    const atOnce = await Promise.all(requests.map((each) => one(each)))
    expect(atOnce).toEqual(alone)
  })

  it('gives the same response when prompts share a beginning', async () => {
    const trunks = [randomTokens(70, 90), randomTokens(71, 61)]
    const requests = Array.from({ length: 16 }, (_, i) => {
      const prompt = [...trunks[i % 2]!, ...randomTokens(80 + i, 1 + ((i * 7) % 23))]
      return request(20 + i, 0, {
        promptTokens: prompt,
        draftTokens: i % 3 === 0 ? randomTokens(i, 5) : undefined,
        temperature: i % 4 === 0 ? 0 : 1,
        maxTokens: 1 + ((i * 29) % 90),
        logprobs: true,
      })
    })
    // One equals the trunk's end, one is another's prompt, and some share nothing.
    requests.push(request(1, 0, { promptTokens: requests[0]!.promptTokens, temperature: 1, logprobs: true }))
    requests.push(
      request(2, 0, { promptTokens: trunks[0]!, logprobs: true }),
      request(3, 40, { logprobs: true }),
    )
    const alone: GenerationResult[] = []
    for (const each of requests) alone.push(await one(each))
    const together = await generator.generate(requests)
    together.forEach((result, i) => {
      expect(result.tokens, `request ${i}`).toEqual(alone[i]!.tokens)
      expect(result.acceptedDraftTokens).toBe(alone[i]!.acceptedDraftTokens)
      result.logprobs!.forEach((logprob, t) => {
        expect(Math.abs(logprob - alone[i]!.logprobs![t]!)).toBeLessThan(1e-4)
      })
    })
  })

  it('keeps the weights it was created with', async () => {
    const changing = new Map([...weights].map(([name, values]) => [name, values.slice()]))
    const early = await TextGenerator.create(config, changing)
    for (const values of changing.values()) values.fill(0.5)
    const prompts = [1, 2, 3].map((last) => [...randomTokens(70, 90), last])
    const requests = prompts.map((promptTokens) => request(1, 0, { promptTokens }))
    expect(await early.generate(requests)).toEqual(await generator.generate(requests))
    await early.release()
  })

  it('admits calls while others are running', async () => {
    const long = one(request(50, 30, { maxTokens: 200, stopTokens: [], temperature: 1 }))
    const short: GenerationResult[] = []
    for (let i = 0; i < 6; i++) short.push(await one(request(51 + i, 20, { temperature: 1 })))
    const together = await long
    expect(together).toEqual(await one(request(50, 30, { maxTokens: 200, stopTokens: [], temperature: 1 })))
    for (let i = 0; i < 6; i++) expect(short[i]).toEqual(await one(request(51 + i, 20, { temperature: 1 })))
  })

  it('draws different responses for different seeds', async () => {
    const results = await generator.generate(
      Array.from({ length: 8 }, (_, seed) => ({
        promptTokens: [1, 2, 3],
        maxTokens: 12,
        temperature: 1,
        stopTokens: [],
        seed,
      })),
    )
    expect(new Set(results.map(({ tokens }) => tokens.join())).size).toBe(8)
  })

  it('rejects invalid requests and says why', async () => {
    const refused = (rest: Partial<GenerationRequest>) => one(request(1, 5, rest))
    await expect(refused({ promptTokens: [] })).rejects.toThrow('empty')
    await expect(refused({ promptTokens: [1, 101] })).rejects.toThrow('Token 1 of the prompt is 101')
    await expect(refused({ draftTokens: [-1] })).rejects.toThrow('Token 0 of the draft is -1')
    await expect(refused({ maxTokens: 252 })).rejects.toThrow('exceed the model')
    await expect(refused({ maxTokens: 0 })).rejects.toThrow('maxTokens')
    await expect(refused({ temperature: -1 })).rejects.toThrow('temperature')
    await expect(refused({ topP: 0 })).rejects.toThrow('topP')
    await expect(refused({ seed: 0.5 })).rejects.toThrow('seed')
    expect((await refused({ maxTokens: 251, stopTokens: [] })).tokens).toHaveLength(251)
  })

  it('ends an aborted call with the reason and continues with others', async () => {
    const controller = new AbortController()
    const aborted = generator.generate(
      [request(70, 10, { maxTokens: 240, stopTokens: [] })],
      controller.signal,
    )
    const other = one(request(71, 10, { maxTokens: 200, stopTokens: [] }))
    setTimeout(() => controller.abort(new Error('enough')), 3)
    await expect(aborted).rejects.toThrow('enough')
    expect((await other).tokens).toHaveLength(200)
    await expect(generator.generate([request(1, 3)], AbortSignal.abort(new Error('early')))).rejects.toThrow(
      'early',
    )
  })

  it('goes on, and can be released, after the runtime had no memory to prepare a pass', async () => {
    const own = await TextGenerator.create(config, weights)
    const asked = request(80, 12, { maxTokens: 10, stopTokens: [] })
    const creating = vi.spyOn(InferenceSession, 'create')
    creating.mockRejectedValueOnce(new Error('std::bad_alloc'))
    await expect(own.generate([asked])).rejects.toThrow('std::bad_alloc')
    expect(await own.generate([asked])).toEqual(await generator.generate([asked]))
    const other = await TextGenerator.create(config, weights)
    creating.mockRejectedValueOnce(new Error('std::bad_alloc'))
    await expect(other.generate([asked])).rejects.toThrow('std::bad_alloc')
    creating.mockRestore()
    await own.release()
    await other.release()
  })

  it('rejects calls after its release, and keeps its own copy of the weights', async () => {
    const own = new Map([...weights].map(([name, values]) => [name, values.slice()]))
    const second = await TextGenerator.create(config, own)
    const asked = request(80, 12, { maxTokens: 10, stopTokens: [] })
    for (const values of own.values()) values.fill(0)
    expect(await second.generate([asked])).toEqual(await generator.generate([asked]))
    await second.release()
    await second.release()
    await expect(second.generate([asked])).rejects.toThrow('released')
  })
})
