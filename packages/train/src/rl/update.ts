/** One batch of rollouts, learned from in one or several optimizer updates. */
import type { OptimizerStep, Policy } from '../policy/policy.ts'
import {
  type BatchLossOptions,
  type BatchMetrics,
  batchLoss,
  type TrainingConversation,
} from './batch-loss.ts'

export interface UpdateMetrics extends BatchMetrics {
  readonly loss: number
  readonly gradientNorm: number | undefined
  /** Mean |difference| of what the sampler and the trainer say about the same tokens, before the first update. */
  readonly samplerMismatch: number
  readonly seconds: { readonly forward: number; readonly forwardBackward: number; readonly optimStep: number }
}

/**
 * The first update is on-policy: the policy is the one that sampled, so its log-probabilities are those recorded and
 * every ratio is exactly 1. Later updates ask for the present ones first.
 * @param batches one per update
 */
export async function learn(
  policy: Policy,
  batches: readonly (readonly TrainingConversation[])[],
  options: {
    readonly loss: BatchLossOptions
    readonly optimizer: OptimizerStep
    readonly now: () => number
    /** Before each optimizer step. */
    readonly onOptimStep?: (() => void) | undefined
    readonly signal?: AbortSignal | undefined
  },
): Promise<UpdateMetrics> {
  const { now, signal } = options
  const seconds = { forward: 0, forwardBackward: 0, optimStep: 0 }
  const timed = async <T>(phase: keyof typeof seconds, work: () => Promise<T>): Promise<T> => {
    const startMs = now()
    const result = await work()
    seconds[phase] += (now() - startMs) / 1000
    return result
  }
  const all: { readonly metrics: BatchMetrics; readonly loss: number; readonly norm: number | undefined }[] =
    []
  let samplerMismatch = 0
  for (const [update, batch] of batches.entries()) {
    const logprobs =
      update === 0
        ? batch.map(({ oldLogprobs }) => oldLogprobs)
        : await timed('forward', () => policy.forward(batch, signal))
    const { loss, gradients, metrics } = batchLoss(batch, logprobs, options.loss)
    // What has no gradient counts in the averages and needs no pass.
    const moving = [...batch.keys()].filter((i) => gradients[i]!.some((value) => value !== 0))
    if (moving.length > 0) {
      const present = await timed('forwardBackward', () =>
        policy.forwardBackward(
          moving.map((i) => batch[i]!),
          moving.map((i) => gradients[i]!),
          signal,
        ),
      )
      if (update === 0)
        samplerMismatch = meanDifference(
          moving.map((i) => logprobs[i]!),
          present,
        )
    }
    options.onOptimStep?.()
    const { gradientNorm } = await timed('optimStep', () => policy.optimStep(options.optimizer))
    all.push({ metrics, loss, norm: gradientNorm })
  }
  const tokens = all.reduce((sum, { metrics }) => sum + metrics.tokens, 0)
  const mean = (value: (entry: (typeof all)[number]) => number) =>
    tokens === 0 ? 0 : all.reduce((sum, entry) => sum + value(entry) * entry.metrics.tokens, 0) / tokens
  const norms = all.flatMap(({ norm }) => (norm === undefined ? [] : [norm]))
  return {
    loss: mean(({ loss }) => loss),
    tokens,
    kl: mean(({ metrics }) => metrics.kl),
    entropy: mean(({ metrics }) => metrics.entropy),
    clippedLow: mean(({ metrics }) => metrics.clippedLow),
    clippedHigh: mean(({ metrics }) => metrics.clippedHigh),
    dualClipped: mean(({ metrics }) => metrics.dualClipped),
    ratioDeviation: mean(({ metrics }) => metrics.ratioDeviation),
    largestRatioDeviation: Math.max(0, ...all.map(({ metrics }) => metrics.largestRatioDeviation)),
    gradientNorm: norms.length === 0 ? undefined : norms.reduce((sum, norm) => sum + norm, 0) / norms.length,
    samplerMismatch,
    seconds,
  }
}

/** Mean |a - b| over all tokens; 0 without any. */
export function meanDifference(a: readonly Float32Array[], b: readonly Float32Array[]): number {
  let [sum, count] = [0, 0]
  a.forEach((values, i) => {
    values.forEach((value, t) => {
      sum += Math.abs(value - b[i]![t]!)
      count++
    })
  })
  return count === 0 ? 0 : sum / count
}
