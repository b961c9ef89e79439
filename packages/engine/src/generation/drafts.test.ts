import { afterAll, describe, expect, it } from 'vitest'
import { TextGenerator } from './generator.ts'
import type { GenerationRequest } from './request.ts'
import { config, decidedWeights, randomTokens, request, stop } from './testing/random-model.ts'

const weights = decidedWeights()
const generator = await TextGenerator.create(config, weights, { maxBatch: 5 })
afterAll(() => generator.release())

const one = async (request: GenerationRequest) => (await generator.generate([request]))[0]!

describe('a draft never changes the response', () => {
  const kinds: Record<string, (response: readonly number[], seed: number) => number[]> = {
    right: (response) => [...response],
    'right without its end': (response) => response.slice(0, -1),
    'right at first': (response, seed) => [
      ...response.slice(0, Math.floor(response.length / 2)),
      ...randomTokens(seed, 5),
    ],
    wrong: (_, seed) => randomTokens(seed + 1000, 10),
    empty: () => [],
    'too long': (response, seed) => [...response, ...randomTokens(seed, 60)],
    'only the end': () => [stop],
  }
  for (const temperature of [0, 0.6, 1]) {
    it(`at temperature ${temperature}`, async () => {
      const seeds = Array.from({ length: 12 }, (_, i) => 100 + i)
      const without = await generator.generate(
        seeds.map((seed) => request(seed, 10 + (seed % 23), { temperature, maxTokens: 24 })),
      )
      for (const [kind, draftOf] of Object.entries(kinds)) {
        const drafts = seeds.map((seed, i) => draftOf(without[i]!.tokens, seed))
        const drafted = await generator.generate(
          seeds.map((seed, i) =>
            request(seed, 10 + (seed % 23), { temperature, maxTokens: 24, draftTokens: drafts[i]! }),
          ),
        )
        expect(
          drafted.map(({ tokens }) => tokens),
          kind,
        ).toEqual(without.map(({ tokens }) => tokens))
        for (const [i, { acceptedDraftTokens, tokens }] of drafted.entries()) {
          const firstWrong = tokens.findIndex((token, t) => token !== drafts[i]![t])
          expect(acceptedDraftTokens, kind).toBe(firstWrong < 0 ? tokens.length : firstWrong)
        }
      }
    })
  }

  it('whether drafts held before or did not', async () => {
    const fresh = await TextGenerator.create(config, weights)
    const asked = (seed: number) => request(seed, 30, { maxTokens: 12 })
    const seeds = Array.from({ length: 24 }, (_, i) => 200 + i)
    for (const seed of seeds) {
      const [plain] = await generator.generate([asked(seed)])
      // Eight wrong drafts, then sixteen right ones: the way of reading changes twice.
      const draftTokens = seed < 208 ? [...randomTokens(seed, 4)] : plain!.tokens
      const [drafted] = await fresh.generate([{ ...asked(seed), draftTokens }])
      expect(drafted!.tokens).toEqual(plain!.tokens)
    }
    await fresh.release()
  })

  it('stops at the limit, whatever the draft', async () => {
    const asked = request(5, 41, { maxTokens: 9, stopTokens: [] })
    const plain = await one(asked)
    const { tokens, finishReason, acceptedDraftTokens } = await one({
      ...asked,
      draftTokens: [...plain.tokens, 1, 2, 3],
    })
    expect(tokens).toEqual(plain.tokens)
    expect([finishReason, acceptedDraftTokens]).toEqual(['length', 9])
  })
})
