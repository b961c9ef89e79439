import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OptimizerStep, Policy, TokenSequence } from '../policy/policy.ts'
import { type ServerProfileName, tinkerProfiles } from './profiles.ts'
import { openTestPolicy, type TestPolicy } from './testing/test-policy.ts'
import { TinyModel, tinyWeights } from './testing/tiny-model.ts'

const tokens = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => (i * 7 + seed * 13 + i * i) % 64)

/** Of different lengths, so that averages by sequence and by token differ. */
const sequences: TokenSequence[] = [
  { promptTokens: tokens(6, 1), responseTokens: tokens(3, 2) },
  { promptTokens: tokens(1, 3), responseTokens: tokens(12, 4) },
  { promptTokens: tokens(9, 5), responseTokens: tokens(1, 6) },
  { promptTokens: tokens(5, 7), responseTokens: tokens(7, 8) },
]
/** Both signs, a token without any, and a sequence without any. */
const gradients = sequences.map(({ responseTokens }, i) =>
  Float32Array.from(responseTokens, (_, t) => (i === 2 ? 0 : t === 1 ? 0 : 0.3 * (i + 1) - 0.11 * t)),
)

const step: OptimizerStep = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weightDecay: 0.1,
  clipNorm: 0.5,
}

/** The same step on the bare model: what every server must arrive at. */
async function expectedAfter(name: ServerProfileName, times = 1): Promise<number[][]> {
  const model = await TinyModel.create(tinyWeights(1))
  const logprobsOf = async ({ promptTokens, responseTokens }: TokenSequence) => {
    const all = [...promptTokens, ...responseTokens]
    return (await model.logprobs(all.slice(0, -1), all.slice(1))).slice(promptTokens.length - 1)
  }
  for (let i = 0; i < times; i++) {
    for (const [s, { promptTokens, responseTokens }] of sequences.entries()) {
      const all = [...promptTokens, ...responseTokens]
      const coefficients = [...promptTokens.slice(1).map(() => 0), ...[...gradients[s]!].map((g) => -g)]
      await model.addGradient(all.slice(0, -1), all.slice(1), coefficients)
    }
    const { gradientClip, optimizerFields } = tinkerProfiles[name]
    const own = { ...step, beta2: 0.999, weightDecay: 0.01 }
    await model.step({
      ...((optimizerFields as readonly string[]).includes('eps') ? step : own),
      clipNorm: { request: step.clipNorm, server: 1, none: Number.POSITIVE_INFINITY }[gradientClip],
    })
  }
  const result: number[][] = []
  for (const sequence of sequences) result.push(await logprobsOf(sequence))
  await model.release()
  return result
}

const train = async (policy: Policy) => {
  await policy.forwardBackward(sequences, gradients)
  return policy.optimStep(step)
}

function expectClose(
  actual: readonly ArrayLike<number>[],
  expected: readonly ArrayLike<number>[],
  digits = 4,
) {
  expect(actual.map(({ length }) => length)).toEqual(expected.map(({ length }) => length))
  const [flat, wanted] = [actual, expected].map((parts) => parts.flatMap((part) => Array.from(part)))
  flat!.forEach((value, i) => {
    expect(value).toBeCloseTo(wanted![i]!, digits)
  })
}

const request = {
  promptTokens: tokens(5, 9),
  maxTokens: 6,
  temperature: 1,
  topP: 1,
  seed: 3,
  stopTokens: [],
}

describe.each(Object.keys(tinkerProfiles) as ServerProfileName[])('a policy on %s', (name) => {
  let test: TestPolicy
  beforeAll(async () => {
    test = await openTestPolicy(name)
  })
  afterAll(() => test[Symbol.asyncDispose]())

  it('samples what it computes: log-probabilities of samples and of forward agree', async () => {
    const snapshot = await test.policy.snapshot()
    const responses = await Promise.all([1, 2, 3].map((seed) => snapshot.sample({ ...request, seed })))
    const sampled = responses.map((response) => ({
      promptTokens: request.promptTokens,
      responseTokens: response.tokens,
    }))
    expectClose(
      await test.policy.forward(sampled),
      responses.map(({ logprobs }) => logprobs),
    )
    expectClose(
      await snapshot.logprobs(sampled),
      responses.map(({ logprobs }) => logprobs),
    )
  })

  it('tells log-probabilities at temperature 1 whatever the sampling, and ends with the stop token', async () => {
    const snapshot = await test.policy.snapshot()
    const greedy = await snapshot.sample({ ...request, temperature: 0 })
    expect(greedy.stopReason).toBe('length')
    const sequence = { promptTokens: request.promptTokens, responseTokens: greedy.tokens }
    expectClose([greedy.logprobs], await test.policy.forward([sequence]))
    const stop = greedy.tokens[2]!
    const stopped = await snapshot.sample({ ...request, temperature: 0, stopTokens: [stop] })
    expect(stopped.tokens).toEqual(greedy.tokens.slice(0, greedy.tokens.indexOf(stop) + 1))
    expect(stopped.stopReason).toBe('stop')
  })

  it('takes exactly the step of the sum of all tokens’ gradients, however the batch is split', async () => {
    const before = await test.policy.forward(sequences)
    const snapshot = await test.policy.snapshot()
    expectClose(
      await test.policy.forwardBackward(sequences.slice(0, 2), gradients.slice(0, 2)),
      before.slice(0, 2),
    )
    await test.policy.forwardBackward(sequences.slice(2), gradients.slice(2))
    await test.policy.optimStep(step)
    expectClose(await test.policy.forward(sequences), await expectedAfter(name))
    // Chunks of one datum, against whole batches in the policy above.
    await using split = await openTestPolicy(name, { server: undefined, changes: { maxDatums: 1 } })
    await train(split.policy)
    expectClose(await split.policy.forward(sequences), await test.policy.forward(sequences))
    expect(split.server.callsOf('forward_backward').length).toBeGreaterThanOrEqual(sequences.length)

    // What was frozen before has not moved.
    expectClose(await snapshot.logprobs(sequences), before)
    if (tinkerProfiles[name].reference === 'base-sampler') {
      expectClose(await test.policy.reference.logprobs(sequences), before)
    } else {
      await expect(test.policy.reference.logprobs(sequences)).rejects.toThrow('no reference policy')
    }
  })

  it('goes on from a saved state exactly as without the pause', async () => {
    const options = { changes: {}, behaviour: { maxModels: 3 } }
    await using first = await openTestPolicy(name, options)
    await train(first.policy)
    const path = await first.policy.saveState('step-1')
    await train(first.policy)
    await using second = await openTestPolicy(name, { server: first.server, restoreFrom: path })
    await train(second.policy)
    const after = await second.policy.forward(sequences)
    expectClose(after, await first.policy.forward(sequences), 6)
    expectClose(after, await expectedAfter(name, 2))
    if (tinkerProfiles[name].reference === 'base-sampler') {
      expectClose(
        await second.policy.reference.logprobs(sequences),
        await first.policy.reference.logprobs(sequences),
        6,
      )
    }
  })
})
