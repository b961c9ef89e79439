/** The contract of a policy, as named checks that any test runner (or none) can run: `registerCases` of core's testing. */
import assert from 'node:assert/strict'
import type { ContractCase } from '@memagent/core/testing'
import type { OptimizerStep, Policy, SampleRequest, TokenSequence } from '../policy/policy.ts'

export interface PolicyContractOptions {
  /** A new policy, always with the same weights; `restoreFrom` is what `saveState` returned. */
  create(restoreFrom?: string): Promise<Policy>
  /** Every token id below this exists. */
  readonly vocabularySize: number
  readonly stopToken: number
  /** Largest difference between log-probabilities computed in two ways. @default 1e-4 */
  readonly tolerance?: number | undefined
  /** @default true */
  readonly reportsGradientNorm?: boolean | undefined
  /** False if the server's own weight decay moves the weights without a gradient. @default true */
  readonly heedsWeightDecay?: boolean | undefined
  /** Servers that do not keep the base model have none, and must say so when asked. @default true */
  readonly hasReference?: boolean | undefined
}

const step: OptimizerStep = {
  learningRate: 1e-2,
  beta1: 0.9,
  beta2: 0.98,
  epsilon: 1e-8,
  weightDecay: 0,
  clipNorm: 1e6,
}

export function policyContract(options: PolicyContractOptions): ContractCase[] {
  const { tolerance = 1e-4, vocabularySize, stopToken } = options
  const { reportsGradientNorm = true, hasReference = true, heedsWeightDecay = true } = options
  const tokens = (count: number, seed: number) =>
    Array.from({ length: count }, (_, i) => (seed * 17 + i * i * 3 + i * 5) % vocabularySize)
  const sequences: TokenSequence[] = [
    { promptTokens: tokens(20, 1), responseTokens: tokens(5, 2) },
    // Shares its whole prompt with the first, and most of it with the third.
    { promptTokens: tokens(20, 1), responseTokens: tokens(3, 3) },
    { promptTokens: [...tokens(18, 1), 1, 2, 3], responseTokens: tokens(4, 4) },
    { promptTokens: tokens(7, 5), responseTokens: [stopToken] },
  ]
  const request = (seed: number, temperature = 1): SampleRequest => ({
    promptTokens: tokens(12, 6),
    maxTokens: 8,
    temperature,
    topP: 1,
    seed,
    stopTokens: [stopToken],
  })
  const constant = (value: number) =>
    sequences.map(({ responseTokens }) => new Float32Array(responseTokens.length).fill(value))
  const assertClose = (a: readonly Float32Array[], b: readonly Float32Array[]) => {
    assert.deepEqual(
      a.map(({ length }) => length),
      b.map(({ length }) => length),
    )
    a.forEach((values, i) => {
      values.forEach((value, t) => {
        const difference = Math.abs(value - b[i]![t]!)
        assert.ok(difference < tolerance, `sequence ${i}, token ${t} differs by ${difference}`)
      })
    })
  }
  const differs = (a: readonly Float32Array[], b: readonly Float32Array[]) =>
    a.some((values, i) => values.some((value, t) => Math.abs(value - b[i]![t]!) > 10 * tolerance))
  const assertReference = async ({ reference }: Policy, expected: readonly Float32Array[]) => {
    if (hasReference) assertClose(await reference.logprobs(sequences), expected)
    else await assert.rejects(reference.logprobs(sequences), { code: 'tinker/no-reference' })
  }
  const sum = (values: Float32Array) => values.reduce((total, value) => total + value, 0)
  /** A check whose policies are closed at its end. */
  const check = (
    name: string,
    run: (create: (restoreFrom?: string) => Promise<Policy>) => Promise<void>,
    skip?: string,
  ): ContractCase => ({
    name,
    skip,
    async run() {
      const policies: Policy[] = []
      try {
        await run(async (restoreFrom) => {
          const policy = await options.create(restoreFrom)
          policies.push(policy)
          return policy
        })
      } finally {
        for (const policy of policies) await policy.close()
      }
    },
  })

  return [
    check(
      'samples by its seed, at its temperature, what its own log-probabilities say, within the limit, ending with a stop token',
      async (create) => {
        const policy = await create()
        const snapshot = await policy.snapshot()
        const requests = [1, 2, 3, 4].map((seed) => request(seed, policy.temperature))
        const responses = await Promise.all(requests.map((one) => snapshot.sample(one)))
        const distinct = new Set(responses.map((response) => response.tokens.join()))
        assert.ok(distinct.size > 1, 'every seed gives the same response')
        const sampledLogprobs = responses.map(({ logprobs }) => logprobs!)
        for (const { tokens: response, logprobs, stopReason } of responses) {
          assert.ok(response.length > 0 && response.length <= 8)
          assert.equal(logprobs?.length, response.length)
          assert.equal(response.indexOf(stopToken), stopReason === 'stop' ? response.length - 1 : -1)
        }
        const sampled = responses.map((response, i) => ({
          promptTokens: requests[i]!.promptTokens,
          responseTokens: response.tokens,
        }))
        const scored = await policy.forward(sampled)
        assertClose(sampledLogprobs, scored)
        assertClose(await snapshot.logprobs(sampled), scored)
        await snapshot.close()
      },
    ),
    check('gives no log-probabilities for samples from a distribution other than its own', async (create) => {
      const policy = await create()
      const snapshot = await policy.snapshot()
      const own = request(1, policy.temperature)
      for (const other of [{ temperature: 0 }, { temperature: 2 * policy.temperature }, { topP: 0.9 }]) {
        const { tokens: response, logprobs } = await snapshot.sample({ ...own, ...other })
        assert.ok(response.length > 0)
        assert.equal(logprobs, undefined)
      }
      await snapshot.close()
    }),
    check(
      'gives log-probabilities in the requested order, whatever else is in the request',
      async (create) => {
        const policy = await create()
        const all = await policy.forward(sequences)
        const alone = []
        for (const sequence of sequences) alone.push(...(await policy.forward([sequence])))
        assertClose(all, alone)
        assertClose([...(await policy.forward([...sequences].reverse()))].reverse(), all)
        assert.ok(all.every((values) => values.every((value) => value <= 0)))
      },
    ),
    check('moves along a gradient; log-probabilities are from before the step', async (create) => {
      const policy = await create()
      const before = await policy.forward(sequences)
      // The loss falls as the first sequence's log-probability rises; the others play no part.
      const gradients = constant(0)
      gradients[0]!.fill(-1)
      assertClose(await policy.forwardBackward(sequences, gradients), before)
      await policy.optimStep(step)
      const after = await policy.forward(sequences)
      assert.ok(sum(after[0]!) > sum(before[0]!) + 10 * tolerance)
    }),
    check(
      'is not moved by a gradient of zero',
      async (create) => {
        const policy = await create()
        const before = await policy.forward(sequences)
        await policy.forwardBackward(sequences, constant(0))
        const { gradientNorm } = await policy.optimStep(step)
        if (reportsGradientNorm) assert.equal(gradientNorm, 0)
        assertClose(await policy.forward(sequences), before)
      },
      heedsWeightDecay ? undefined : 'its own weight decay moves the weights without a gradient',
    ),
    check(
      'sums gradients over tokens and sequences',
      async (create) => {
        const policy = await create()
        const normOf = async (list: readonly TokenSequence[], gradients: readonly Float32Array[]) => {
          await policy.forwardBackward(list, gradients)
          return (await policy.optimStep({ ...step, learningRate: 0 })).gradientNorm!
        }
        const gradients = constant(0).map((values, i) => values.map((_, t) => Math.sin(i + 2 * t)))
        const once = await normOf(sequences, gradients)
        assert.ok(once > 0)
        const scaled = gradients.map((values) => values.map((value) => 3 * value))
        const thrice = await normOf(sequences, scaled)
        assert.ok(Math.abs(thrice / once - 3) < 1e-3, `three times the gradient has norm ${thrice}`)
        const twice = await normOf([...sequences, ...sequences], [...gradients, ...gradients])
        assert.ok(Math.abs(twice / once - 2) < 1e-3, `everything twice has norm ${twice}`)
      },
      reportsGradientNorm ? undefined : 'gradient norms, which this check reads, are not reported',
    ),
    check('leaves snapshots and the reference unchanged', async (create) => {
      const policy = await create()
      const start = await policy.forward(sequences)
      const snapshot = await policy.snapshot()
      await policy.forwardBackward(sequences, constant(-1))
      await policy.optimStep(step)
      assert.ok(differs(await policy.forward(sequences), start))
      assertClose(await snapshot.logprobs(sequences), start)
      await assertReference(policy, start)
      await snapshot.close()
      await snapshot.close()
    }),
    check('closes its snapshots with it', async (create) => {
      const policy = await create()
      const snapshot = await policy.snapshot()
      const response = await snapshot.sample(request(1))
      assert.ok(response.tokens.length > 0)
      await policy.close()
      await assert.rejects(snapshot.sample(request(1)))
      await policy.close()
    }),
    check(
      'continues from a saved state as if nothing had happened, with the same reference',
      async (create) => {
        const train = async (policy: Policy) => {
          await policy.forwardBackward(sequences, constant(-1))
          await policy.optimStep(step)
        }
        const first = await create()
        const start = await first.forward(sequences)
        await train(first)
        const state = await first.saveState('middle')
        await train(first)
        const expected = await first.forward(sequences)
        // Some servers hold one model at a time.
        await first.close()
        const second = await create(state)
        await train(second)
        assertClose(await second.forward(sequences), expected)
        await assertReference(second, start)
      },
    ),
    check('deletes a saved state, and no other', async (create) => {
      const policy = await create()
      const [kept, superseded] = [await policy.saveState('kept'), await policy.saveState('superseded')]
      const before = await policy.forward(sequences)
      await policy.deleteState(superseded)
      await policy.deleteState(superseded)
      await policy.close()
      await assert.rejects(create(superseded))
      const restored = await create(kept)
      assertClose(await restored.forward(sequences), before)
      // Its name is free again.
      const state = await restored.saveState('superseded')
      await restored.close()
      assertClose(await (await create(state)).forward(sequences), before)
    }),
    check('refuses gradients that do not fit or are not finite', async (create) => {
      const policy = await create()
      await assert.rejects(policy.forwardBackward(sequences, constant(0).slice(1)), /gradient/)
      const broken = constant(0)
      broken[2]![1] = Number.NaN
      await assert.rejects(policy.forwardBackward(sequences, broken), /gradient of sequence 2/)
    }),
    check('stops when told to', async (create) => {
      const policy = await create()
      const reason = new Error('enough')
      const signal = AbortSignal.abort(reason)
      await assert.rejects(policy.forward(sequences, signal), reason)
      const snapshot = await policy.snapshot()
      await assert.rejects(snapshot.sample(request(1), signal), reason)
      if (hasReference) await assert.rejects(policy.reference.sample(request(1), signal), reason)
    }),
  ]
}
