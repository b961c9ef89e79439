/** The same losses on both engines: gradients and their effect on the weights agree. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BatchLossOptions, TrainingConversation } from '../rl/batch-loss.ts'
import { learn } from '../rl/learn.ts'
import { openTestPolicy } from '../tinker/testing/test-policy.ts'
import { tinyConfig, tinyWeights } from '../tinker/testing/tiny-model.ts'
import { createEmbeddedPolicy } from './embedded-policy.ts'
import type { Policy } from './policy.ts'

const folder = temporaryFolder(beforeAll, afterAll)

const tokens = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => (seed * 13 + i * i + 3 * i) % tinyConfig.vocabularySize)
const sizes = [
  [12, 4],
  [9, 7],
  [15, 1],
  [12, 3],
  [6, 5],
  [11, 2],
] as const

async function conversationsOf(
  policy: Policy,
  advantages: readonly number[],
): Promise<TrainingConversation[]> {
  const sequences = sizes.map(([prompt, response], i) => ({
    promptTokens: tokens(prompt, i),
    responseTokens: tokens(response, 20 + i),
  }))
  const [old, reference] = [await policy.forward(sequences), await policy.reference.logprobs(sequences)]
  return sequences.map((sequence, i) => ({
    ...sequence,
    logprobs: old[i]!,
    // As if the reference were another model: KL gets a gradient.
    referenceLogprobs: reference[i]!.map((value, t) => value - 0.3 * Math.sin(i + t)),
    advantage: advantages[i]!,
    rollout: String(i >> 1),
  }))
}

const step = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-6,
  weightDecay: 0,
  clipNorm: 1e6,
}
const loss: BatchLossOptions = {
  clipLow: 0.2,
  clipHigh: 0.28,
  dualClip: 3,
  klCoefficient: 0,
  aggregation: 'token-mean',
}
const whole = [0.5, 0.5, -0.5, -0.5, 0.25, 0.25]
const cases: readonly [string, number, BatchLossOptions, readonly number[]][] = [
  ['credit split among conversations', 1, loss, whole.map((advantage) => advantage / 2)],
  ['several updates', 3, loss, whole],
  ['KL to the reference', 1, { ...loss, klCoefficient: 0.2 }, whole],
]

describe.each(cases)('%s', (_, updates, options, advantages) => {
  it('moves both engines alike', async () => {
    await using remote = await openTestPolicy('tinker')
    const local = await createEmbeddedPolicy({
      config: tinyConfig,
      weights: tinyWeights(1),
      folder: folder.path,
      threads: 1,
    })
    const results = []
    for (const policy of [local, remote.policy]) {
      const conversations = await conversationsOf(policy, advantages)
      const size = conversations.length / updates
      const batches = Array.from({ length: updates }, (_, i) => conversations.slice(i * size, (i + 1) * size))
      const metrics = await learn(policy, batches, { loss: options, optimizer: step })
      const after = await policy.forward(conversations)
      results.push({ metrics, before: conversations, after })
    }
    const [embedded, server] = results as [(typeof results)[number], (typeof results)[number]]
    embedded.before.forEach(({ logprobs }, i) => {
      logprobs.forEach((value, t) => {
        expect(server.before[i]!.logprobs[t]).toBeCloseTo(value, 4)
      })
    })
    expect(embedded.metrics.gradientNorm).toBeGreaterThan(0.01)
    if (server.metrics.gradientNorm !== undefined) {
      expect(server.metrics.gradientNorm / embedded.metrics.gradientNorm!).toBeCloseTo(1, 3)
    }
    expect(server.metrics.loss).toBeCloseTo(embedded.metrics.loss, 4)
    let moved = 0
    embedded.after.forEach((values, i) => {
      values.forEach((value, t) => {
        moved = Math.max(moved, Math.abs(value - embedded.before[i]!.logprobs[t]!))
        expect(Math.abs(server.after[i]![t]! - value)).toBeLessThan(2e-3)
      })
    })
    expect(moved).toBeGreaterThan(0.05)
    await local.close()
  })
})
