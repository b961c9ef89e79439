/** One optimizer batch and the expected weights after it, computed directly on the model. */
import assert from 'node:assert/strict'
import type { OptimizerStep, Policy, SampleRequest, TokenSequence } from '../../policy/policy.ts'
import { largestDifference } from '../logprob-differences.ts'
import { type ServerProfileName, tinkerProfiles } from '../profiles.ts'
import { TinyModel, tinyWeights } from './tiny-model.ts'

/** Any tokens. */
export const tokens = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => (i * 7 + seed * 13 + i * i) % 64)

/** Of different lengths, so that averages by sequence and by token differ. */
export const sequences: TokenSequence[] = [
  { promptTokens: tokens(6, 1), responseTokens: tokens(3, 2) },
  { promptTokens: tokens(1, 3), responseTokens: tokens(12, 4) },
  { promptTokens: tokens(9, 5), responseTokens: tokens(1, 6) },
  { promptTokens: tokens(5, 7), responseTokens: tokens(7, 8) },
]
/** Both signs, a zero for one token, and a sequence of zeros. */
export const gradients = sequences.map(({ responseTokens }, i) =>
  Float32Array.from(responseTokens, (_, t) => (i === 2 ? 0 : t === 1 ? 0 : 0.3 * (i + 1) - 0.11 * t)),
)

export const step: OptimizerStep = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  // Large, so that the step depends on the gradient's size.
  epsilon: 0.1,
  weightDecay: 0.1,
  clipNorm: 0.5,
}

/** The same step on the bare model: the result that every server must reach. */
export async function expectedAfter(name: ServerProfileName, times = 1): Promise<number[][]> {
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
    const own = { ...step, beta2: 0.999, weightDecay: 0.01, epsilon: 1e-8 }
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

/** One optimizer step of a policy on the example. */
export const train = async (policy: Policy) => {
  await policy.forwardBackward(sequences, gradients)
  return policy.optimStep(step)
}

/** Throws unless every number is within `tolerance` of its counterpart. */
export function assertClose(
  actual: readonly ArrayLike<number>[],
  expected: readonly ArrayLike<number>[],
  tolerance = 5e-5,
): void {
  const shapeOf = (numbers: readonly ArrayLike<number>[]) => numbers.map(({ length }) => length)
  assert.deepEqual(shapeOf(actual), shapeOf(expected))
  const difference = largestDifference(actual, expected)
  assert.ok(difference < tolerance, `numbers differ by ${difference}`)
}

/** A sampling request as in training. */
export const request: SampleRequest = {
  promptTokens: tokens(5, 9),
  maxTokens: 6,
  temperature: 1,
  topP: 1,
  seed: 3,
  stopTokens: [],
}
