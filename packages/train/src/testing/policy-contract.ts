/** What every policy promises. Run by each engine's tests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OptimizerStep, Policy, SampleRequest, TokenSequence } from '../policy/policy.ts'

export interface PolicyContractOptions {
  /** A new policy, always with the same weights; `restoreFrom` as `saveState` gave it. */
  create(restoreFrom?: string): Promise<Policy>
  /** Tokens below this exist. */
  readonly vocabularySize: number
  readonly stopToken: number
  /** Largest difference of log-probabilities computed in two ways. @default 1e-4 */
  readonly tolerance?: number | undefined
  /** @default true */
  readonly reportsGradientNorm?: boolean | undefined
}

const step: OptimizerStep = {
  learningRate: 1e-2,
  beta1: 0.9,
  beta2: 0.98,
  epsilon: 1e-8,
  weightDecay: 0,
  clipNorm: 1e6,
}

export function testPolicyContract(name: string, options: PolicyContractOptions): void {
  const { tolerance = 1e-4, reportsGradientNorm = true, vocabularySize, stopToken } = options
  const tokens = (count: number, seed: number) =>
    Array.from({ length: count }, (_, i) => (seed * 17 + i * i * 3 + i * 5) % vocabularySize)
  const sequences: TokenSequence[] = [
    { promptTokens: tokens(20, 1), responseTokens: tokens(5, 2) },
    // Shares its whole prompt with the first, and most of it with the third.
    { promptTokens: tokens(20, 1), responseTokens: tokens(3, 3) },
    { promptTokens: [...tokens(18, 1), 1, 2, 3], responseTokens: tokens(4, 4) },
    { promptTokens: tokens(7, 5), responseTokens: [stopToken] },
  ]
  const request = (seed: number, change: Partial<SampleRequest> = {}): SampleRequest => ({
    promptTokens: tokens(12, 6),
    maxTokens: 8,
    temperature: 1,
    topP: 1,
    seed,
    stopTokens: [stopToken],
    ...change,
  })
  const constant = (value: number) =>
    sequences.map(({ responseTokens }) => new Float32Array(responseTokens.length).fill(value))
  const expectClose = (a: readonly Float32Array[], b: readonly Float32Array[]) => {
    expect(a.map(({ length }) => length)).toEqual(b.map(({ length }) => length))
    a.forEach((values, i) => {
      values.forEach((value, t) => {
        expect(Math.abs(value - b[i]![t]!), `sequence ${i}, token ${t}`).toBeLessThan(tolerance)
      })
    })
  }
  const differs = (a: readonly Float32Array[], b: readonly Float32Array[]) =>
    a.some((values, i) => values.some((value, t) => Math.abs(value - b[i]![t]!) > 10 * tolerance))

  describe(`${name} keeps the policy contract`, () => {
    const policies: Policy[] = []
    const create = async (restoreFrom?: string) => {
      const policy = await options.create(restoreFrom)
      policies.push(policy)
      return policy
    }
    let policy: Policy
    beforeAll(async () => {
      policy = await create()
    })
    afterAll(async () => {
      for (const made of policies) await made.close()
    })

    it('samples what its own log-probabilities say, within the limit, ending with a stop token', async () => {
      const snapshot = await policy.snapshot()
      const requests = [1, 2, 3, 4].map((seed) => request(seed))
      const responses = await Promise.all(requests.map((one) => snapshot.sample(one)))
      for (const { tokens: response, logprobs, stopReason } of responses) {
        expect(response.length).toBeGreaterThan(0)
        expect(response.length).toBeLessThanOrEqual(8)
        expect(logprobs.length).toBe(response.length)
        expect(response.indexOf(stopToken)).toBe(stopReason === 'stop' ? response.length - 1 : -1)
      }
      const sampled = responses.map((response, i) => ({
        promptTokens: requests[i]!.promptTokens,
        responseTokens: response.tokens,
      }))
      expectClose(
        responses.map(({ logprobs }) => logprobs),
        await policy.forward(sampled),
      )
      expectClose(await snapshot.logprobs(sampled), await policy.forward(sampled))
      await snapshot.close()
    })

    it('gives log-probabilities in the order asked, whatever else is asked with them', async () => {
      const all = await policy.forward(sequences)
      const alone = []
      for (const sequence of sequences) alone.push(...(await policy.forward([sequence])))
      expectClose(all, alone)
      expectClose([...(await policy.forward([...sequences].reverse()))].reverse(), all)
      expect(all.every((values) => values.every((value) => value <= 0))).toBe(true)
    })

    it('is moved by a gradient, in its direction; log-probabilities come from before the step', async () => {
      const trained = await create()
      const before = await trained.forward(sequences)
      // Less loss with a larger log-probability of the first, none of the others' business.
      const gradients = constant(0)
      gradients[0]!.fill(-1)
      expectClose(await trained.forwardBackward(sequences, gradients), before)
      await trained.optimStep(step)
      const after = await trained.forward(sequences)
      const sum = (values: Float32Array) => values.reduce((total, value) => total + value, 0)
      expect(sum(after[0]!)).toBeGreaterThan(sum(before[0]!) + 10 * tolerance)
    })

    it('is not moved by a gradient of zero', async () => {
      const idle = await create()
      const before = await idle.forward(sequences)
      await idle.forwardBackward(sequences, constant(0))
      const { gradientNorm } = await idle.optimStep(step)
      if (reportsGradientNorm) expect(gradientNorm).toBe(0)
      expectClose(await idle.forward(sequences), before)
    })

    it.runIf(reportsGradientNorm)('sums gradients over tokens and sequences', async () => {
      const measured = await create()
      const normOf = async (list: readonly TokenSequence[], gradients: readonly Float32Array[]) => {
        await measured.forwardBackward(list, gradients)
        return (await measured.optimStep({ ...step, learningRate: 0 })).gradientNorm!
      }
      const gradients = constant(0).map((values, i) => values.map((_, t) => Math.sin(i + 2 * t)))
      const once = await normOf(sequences, gradients)
      expect(once).toBeGreaterThan(0)
      const scaled = gradients.map((values) => values.map((value) => 3 * value))
      expect((await normOf(sequences, scaled)) / once).toBeCloseTo(3, 3)
      const twice = await normOf([...sequences, ...sequences], [...gradients, ...gradients])
      expect(twice / once).toBeCloseTo(2, 3)
    })

    it('keeps snapshots and the reference as they were', async () => {
      const trained = await create()
      const start = await trained.forward(sequences)
      const snapshot = await trained.snapshot()
      await trained.forwardBackward(sequences, constant(-1))
      await trained.optimStep(step)
      expect(differs(await trained.forward(sequences), start)).toBe(true)
      expectClose(await snapshot.logprobs(sequences), start)
      expectClose(await trained.reference.logprobs(sequences), start)
      await snapshot.close()
      await snapshot.close()
    })

    it('goes on from a saved state as if nothing had happened, with the same reference', async () => {
      const first = await create()
      const start = await first.forward(sequences)
      const train = async (one: Policy) => {
        await one.forwardBackward(sequences, constant(-1))
        await one.optimStep(step)
      }
      await train(first)
      const state = await first.saveState('middle')
      await train(first)
      const second = await create(state)
      await train(second)
      expectClose(await second.forward(sequences), await first.forward(sequences))
      expectClose(await second.reference.logprobs(sequences), start)
    })

    it('refuses gradients that do not fit or are not finite', async () => {
      await expect(policy.forwardBackward(sequences, constant(0).slice(1))).rejects.toThrow(/gradient/)
      const broken = constant(0)
      broken[2]![1] = Number.NaN
      await expect(policy.forwardBackward(sequences, broken)).rejects.toThrow(/gradient of sequence 2/)
    })

    it('stops when told to', async () => {
      const reason = new Error('enough')
      const signal = AbortSignal.abort(reason)
      await expect(policy.forward(sequences, signal)).rejects.toBe(reason)
      await expect(policy.reference.sample(request(1), signal)).rejects.toBe(reason)
    })
  })
}
