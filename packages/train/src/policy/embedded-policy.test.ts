import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerCases } from '@memagent/core/testing'
import { initialWeights } from '@memagent/engine'
import { afterAll, describe, expect, it } from 'vitest'
import { policyContract } from '../testing/policy-contract.ts'
import { tinyConfig } from '../tinker/testing/tiny-model.ts'
import { createEmbeddedPolicy } from './embedded-policy.ts'
import { loadTrainingState } from './embedded-state.ts'
import { packSequences } from './pack-sequences.ts'
import type { TokenSequence } from './policy.ts'

const config = { ...tinyConfig, layers: 2, maxPositions: 64 }
const weights = initialWeights(config, 1)
const adam = { beta1: 0.9, beta2: 0.98, epsilon: 1e-8, weightDecay: 0, clipNorm: 1 }
for (const values of weights.values()) values.set(values.map((value) => value * 2))

const folder = await mkdtemp(join(tmpdir(), 'memagent-policy-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const create = (
  options: { restoreFrom?: string | undefined; batchTokens?: number; temperature?: number } = {},
) => createEmbeddedPolicy({ config, weights, folder, threads: 1, batchTokens: 128, ...options })

describe.each([1, 0.6])('the embedded engine keeps the policy contract at temperature %d', (temperature) => {
  const checks = policyContract({
    create: (restoreFrom) => create({ restoreFrom, temperature }),
    vocabularySize: config.vocabularySize,
    // Sampled at both temperatures: another would not show who ignores it.
    stopToken: 5,
  })
  registerCases(checks, it)
})

describe('createEmbeddedPolicy', () => {
  const tokens = (count: number, seed: number) =>
    Array.from({ length: count }, (_, i) => (seed * 11 + i * i + 7 * i) % 40)
  const sequences: TokenSequence[] = Array.from({ length: 12 }, (_, i) => ({
    promptTokens: [...tokens(24, 1 + (i % 3)), ...tokens(1 + (i % 5), i)],
    responseTokens: tokens(1 + ((i * 3) % 7), 20 + i),
  }))
  const gradients = sequences.map(({ responseTokens }, i) =>
    Float32Array.from(responseTokens, (_, t) => Math.sin(i + t)),
  )

  it('learns the distribution that it samples at its temperature', async () => {
    const promptTokens = tokens(12, 3)
    const everyToken = Array.from({ length: config.vocabularySize }, (_, token) => ({
      promptTokens,
      responseTokens: [token],
    }))
    const distribution = async (temperature: number) => {
      const policy = await create({ temperature })
      const logprobs = (await policy.forward(everyToken)).map(([value]) => value!)
      const { logprobs: sampled, tokens: drawn } = await (await policy.snapshot()).sample({
        promptTokens,
        maxTokens: 1,
        temperature,
        topP: 1,
        seed: 2,
        stopTokens: [],
      })
      expect(sampled![0]).toBeCloseTo(logprobs[drawn[0]!]!, 5)
      await policy.close()
      return logprobs
    }
    const warm = await distribution(1)
    for (const temperature of [0.4, 2.5]) {
      const sharpened = warm.map((logprob) => Math.exp(logprob / temperature))
      const total = sharpened.reduce((sum, weight) => sum + weight, 0)
      const other = await distribution(temperature)
      other.forEach((logprob, token) => {
        expect(logprob).toBeCloseTo(Math.log(sharpened[token]! / total), 4)
      })
      expect(Math.abs(other[0]! - warm[0]!)).toBeGreaterThan(0.01)
    }
  })

  it('computes the same gradient however conversations are packed', async () => {
    const norms: number[] = []
    const logprobs: Float32Array[][] = []
    for (const batchTokens of [64, 192, 1024]) {
      const policy = await create({ batchTokens })
      logprobs.push(await policy.forwardBackward(sequences, gradients))
      norms.push((await policy.optimStep({ ...adam, learningRate: 0 })).gradientNorm!)
      await policy.close()
    }
    for (const norm of norms) expect(Math.abs(norm / norms[0]! - 1)).toBeLessThan(1e-5)
    for (const one of logprobs) {
      one.forEach((values, i) => {
        values.forEach((value, t) => {
          expect(Math.abs(value - logprobs[0]![i]![t]!)).toBeLessThan(1e-5)
        })
      })
    }
  })

  it('forgets the gradient of a pass that was aborted, and steps only after the pass that runs', async () => {
    const step = { ...adam, learningRate: 0 }
    const policy = await create({ batchTokens: 64 })
    const normAfter = async (pass: () => Promise<unknown>) => {
      const passing = pass()
      const stepping = policy.optimStep(step)
      await passing
      return (await stepping).gradientNorm
    }
    const wanted = await normAfter(() => policy.forwardBackward(sequences, gradients))
    expect(wanted).toBeGreaterThan(0)
    const aborting = new AbortController()
    const stopped = policy.forwardBackward(sequences, gradients, aborting.signal, () =>
      aborting.abort(new Error('stopped')),
    )
    await expect(stopped).rejects.toThrow('stopped')
    expect(await normAfter(() => policy.forwardBackward(sequences, gradients))).toBe(wanted)
    await policy.close()
  })

  it('computes small batches in small shapes, with the same bits', async () => {
    const wide = { ...config, maxPositions: 512 }
    const results = []
    for (const batchTokens of [128, 4096]) {
      const place = join(folder, `shapes-${batchTokens}`)
      const policy = await createEmbeddedPolicy({
        config: wide,
        weights,
        folder: place,
        threads: 1,
        // The first has room for one row's padding only.
        rowTokens: batchTokens === 128 ? 128 : 512,
        batchTokens,
      })
      const few = sequences.slice(0, 4)
      const logprobs = await policy.forwardBackward(few, gradients.slice(0, 4))
      await policy.optimStep({ ...adam, learningRate: 0.05 })
      await policy.saveState('after')
      results.push({ logprobs, weights: (await loadTrainingState(join(place, 'after'))).weights })
      await policy.close()
    }
    expect(results[1]).toEqual(results[0])
    const shapesOf = (count: number, rowTokens: number) =>
      packSequences(sequences.slice(0, count), gradients, { rowTokens, rows: 8 }).map(
        (batch) => `${batch.rows} x ${batch.rowLength}`,
      )
    expect(shapesOf(4, 512)).toEqual(['1 x 128'])
    expect(shapesOf(12, 512)).toEqual(['1 x 256'])
    // Rows that are not a multiple of whole blocks keep their length.
    expect(shapesOf(12, 128)).toEqual(['2 x 128'])
    expect(shapesOf(4, 448)).toEqual(['1 x 448'])
  })

  it('computes shared beginnings only once', () => {
    const [batch] = packSequences(sequences, gradients, { rowTokens: 256, rows: 2 })
    const used = batch!.group.filter((group) => group >= 0).length
    const separate = sequences.reduce(
      (sum, { promptTokens, responseTokens }) => sum + promptTokens.length + responseTokens.length,
      0,
    )
    expect(used).toBeLessThan(0.5 * separate)
    expect(batch!.places.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual([...sequences.keys()])
  })

  it('keeps open snapshots apart with several threads, and refuses closed ones', async () => {
    const policy = await createEmbeddedPolicy({ config, weights, folder, threads: 2, batchTokens: 128 })
    const request = {
      promptTokens: tokens(12, 4),
      maxTokens: 9,
      temperature: 1,
      topP: 1,
      seed: 3,
      stopTokens: [],
    }
    const train = async () => {
      await policy.forwardBackward(sequences, gradients)
      await policy.optimStep({ ...adam, learningRate: 0.05 })
    }
    const first = await policy.snapshot()
    const wanted = await first.sample(request)
    const second = await policy.snapshot()
    await train()
    await first.close()
    const third = await policy.snapshot()
    expect(await third.sample(request)).not.toEqual(wanted)
    for (const lane of [0, 1]) expect(await second.sample({ ...request, lane })).toEqual(wanted)
    await expect(first.sample(request)).rejects.toMatchObject({ code: 'engine/released' })
    await expect(first.logprobs(sequences)).rejects.toMatchObject({ code: 'engine/released' })
    await Promise.all([second.close(), third.close()])
    await policy.close()
  })

  it.each([
    'null',
    '{}',
    '[]',
    '{"optimizerStep":"x"}',
    '{"optimizerStep":-1}',
    '{"optimizerStep":1e999}',
    '{',
  ])('refuses a state whose details are %s', async (details) => {
    const policy = await create()
    await policy.saveState('damaged')
    await policy.close()
    await writeFile(join(folder, 'damaged', 'state.json'), details)
    await expect(create({ restoreFrom: 'damaged' })).rejects.toMatchObject({
      code: 'train/checkpoint-damaged',
    })
  })

  it('names a sequence that does not fit', async () => {
    const policy = await create()
    await expect(
      policy.forward([sequences[0]!, { promptTokens: tokens(80, 1), responseTokens: [1] }]),
    ).rejects.toThrow(/Sequence 1 has 80 prompt tokens and 1 response tokens.*a row holds 64/)
    await expect(policy.saveState('../outside')).rejects.toThrow(/cannot name a state/)
    await policy.close()
  })
})
