/** Comparison with PyTorch, which computed everything in `__fixtures__` independently of this project. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import type { LlamaConfig } from '@memagent/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmbeddedPolicy } from '../policy/embedded-policy.ts'
import { loadTrainingState } from '../policy/embedded-state.ts'
import type { OptimizerStep } from '../policy/policy.ts'
import { learningRateAt } from '../schedule.ts'
import { groupAdvantages } from './advantages.ts'
import { type BatchLossOptions, batchLoss, type TrainingConversation } from './batch-loss.ts'
import { learn } from './learn.ts'

type Numbers = Readonly<Record<string, readonly number[]>>
interface Metrics {
  readonly kl: number
  readonly entropy: number
  readonly clippedLow: number
  readonly clippedHigh: number
  readonly dualClipped: number
}
interface Golden {
  readonly losses: {
    readonly batch: readonly {
      readonly logprobs: readonly number[]
      readonly oldLogprobs: readonly number[]
      readonly referenceLogprobs: readonly number[]
      readonly advantage: number
      readonly rollout: string
    }[]
    readonly cases: readonly {
      readonly options: BatchLossOptions
      readonly loss: number
      readonly metrics: Metrics
      readonly gradients: readonly (readonly number[])[]
    }[]
  }
  readonly model: { readonly config: LlamaConfig; readonly weights: Numbers }
  readonly conversations: readonly {
    readonly group: number
    readonly rollout: number
    readonly prompt: readonly number[]
    readonly response: readonly number[]
  }[]
  readonly trainings: readonly {
    readonly temperature: number
    readonly normalization: 'none' | 'deviation'
    readonly loss: BatchLossOptions
    readonly optimizer: OptimizerStep & { readonly warmupSteps: number }
    /** [steps, groups, rollouts] */
    readonly rewards: readonly (readonly (readonly number[])[])[]
    /** Two of each step. */
    readonly updates: readonly {
      readonly learningRate: number
      readonly conversations: readonly number[]
      readonly advantages: readonly number[]
      readonly loss: number
      readonly gradientNorm: number
      readonly metrics: Metrics
    }[]
    readonly logprobs: readonly (readonly number[])[]
    readonly weights: Numbers
  }[]
}

const path = join(import.meta.dirname, '__fixtures__', 'pytorch.json')
const golden = JSON.parse(await readFile(path, 'utf8')) as Golden
const folder = temporaryFolder(beforeAll, afterAll)

function expectClose(
  actual: ArrayLike<number>,
  expected: readonly number[],
  tolerance: number,
  what: string,
) {
  expect(actual.length, what).toBe(expected.length)
  const largest = Math.max(...expected.map((value, i) => Math.abs(value - actual[i]!)))
  expect(largest, what).toBeLessThan(tolerance)
}

function expectMetrics(actual: Readonly<Record<keyof Metrics, number | undefined>>, expected: Metrics) {
  for (const name of ['kl', 'entropy', 'clippedLow', 'clippedHigh', 'dualClipped'] as const) {
    expect(Math.abs(actual[name]! - expected[name]), name).toBeLessThan(1e-5)
  }
}

describe('the loss of a batch', () => {
  const conversations = golden.losses.batch.map(
    ({ logprobs, oldLogprobs, referenceLogprobs, advantage, rollout }): TrainingConversation => ({
      promptTokens: [1],
      responseTokens: logprobs.map(() => 1),
      logprobs: Float32Array.from(oldLogprobs),
      referenceLogprobs: Float32Array.from(referenceLogprobs),
      advantage,
      rollout,
    }),
  )
  const logprobs = golden.losses.batch.map((each) => Float32Array.from(each.logprobs))

  it.each(golden.losses.cases.map((each) => [JSON.stringify(each.options), each] as const))(
    'and its gradient are those of PyTorch: %s',
    (_, { options, loss, metrics, gradients }) => {
      const actual = batchLoss(conversations, logprobs, options)
      expect(actual.loss).toBeCloseTo(loss, 7)
      actual.gradients.forEach((gradient, i) => {
        expectClose(gradient, gradients[i]!, 1e-6, `conversation ${i}`)
      })
      // A reference without weight gets no requests.
      expectMetrics(actual.metrics, options.klCoefficient === 0 ? { ...metrics, kl: 0 } : metrics)
    },
  )
})

describe('training', () => {
  const { config, weights } = golden.model
  const sequences = golden.conversations.map(({ prompt, response }) => ({
    promptTokens: prompt,
    responseTokens: response,
  }))

  it.each(golden.trainings.map((each, i) => [each.updates.length, each.temperature, i, each] as const))(
    'for %d optimizer steps at temperature %d is that of PyTorch',
    async (_, temperature, index, training) => {
      const { optimizer, loss, normalization, updates } = training
      const policy = await createEmbeddedPolicy({
        config,
        weights: new Map(Object.entries(weights).map(([name, values]) => [name, Float32Array.from(values)])),
        folder: folder.join(String(index)),
        temperature,
        threads: 1,
        batchTokens: 128,
      })
      const reference = await policy.reference.logprobs(sequences)
      const stages = [{ steps: training.rewards.length }]
      for (const [step, rewards] of training.rewards.entries()) {
        const old = await policy.forward(sequences)
        const advantages = rewards.map((group) => groupAdvantages(group, { normalization }))
        const conversations = golden.conversations.map(
          ({ group, rollout }, i): TrainingConversation => ({
            ...sequences[i]!,
            logprobs: old[i]!,
            referenceLogprobs: reference[i]!,
            advantage: advantages[group]![rollout]!,
            rollout: `${group}/${rollout}`,
          }),
        )
        const expected = updates.slice(2 * step, 2 * step + 2)
        const batches = expected.map((update) => update.conversations.map((i) => conversations[i]!))
        const learningRate = learningRateAt(optimizer, stages, step)
        const norms: (number | undefined)[] = []
        const recording: typeof policy = {
          ...policy,
          async optimStep(options) {
            const result = await policy.optimStep(options)
            norms.push(result.gradientNorm)
            return result
          },
        }
        const metrics = await learn(recording, batches, {
          loss,
          optimizer: { ...optimizer, learningRate },
        })
        expect(metrics.optimizerSteps).toBe(2)
        // Means over the tokens of both updates.
        const tokens = batches.map((batch) =>
          batch.reduce((sum, { responseTokens }) => sum + responseTokens.length, 0),
        )
        const mean = (of: (update: (typeof expected)[number]) => number) =>
          expected.reduce((sum, update, i) => sum + of(update) * tokens[i]!, 0) / (tokens[0]! + tokens[1]!)
        expect(Math.abs(metrics.loss - mean((update) => update.loss))).toBeLessThan(1e-5)
        expectMetrics(metrics, {
          kl: mean((update) => update.metrics.kl),
          entropy: mean((update) => update.metrics.entropy),
          clippedLow: mean((update) => update.metrics.clippedLow),
          clippedHigh: mean((update) => update.metrics.clippedHigh),
          dualClipped: mean((update) => update.metrics.dualClipped),
        })
        for (const [i, update] of expected.entries()) {
          expect(learningRate).toBeCloseTo(update.learningRate, 12)
          expectClose(
            batches[i]!.map(({ advantage }) => advantage),
            update.advantages,
            1e-9,
            'advantages',
          )
          expect(norms[i]! / update.gradientNorm, `gradient norm of update ${i}`).toBeCloseTo(1, 5)
        }
      }
      const after = await policy.forward(sequences)
      after.forEach((values, i) => {
        expectClose(values, training.logprobs[i]!, 1e-5, `log-probabilities of conversation ${i}`)
      })
      const state = await loadTrainingState(folder.join(String(index), await policy.saveState('end')))
      expect([...state.weights.keys()].sort()).toEqual(Object.keys(training.weights).sort())
      for (const [name, values] of state.weights) expectClose(values, training.weights[name]!, 1e-5, name)
      expect(state.optimizer.step).toBe(updates.length)
      await policy.close()
    },
  )
})
