/** Learns from one batch of rollouts, in one or several optimizer updates. */
import { requireFinite } from '@memagent/engine'
import type { OptimizerResult, OptimizerStep, Policy } from '../policy/policy.ts'
import { anyAdvantage } from './advantages.ts'
import {
  type BatchLossOptions,
  type BatchMetrics,
  batchLoss,
  type TrainingConversation,
} from './batch-loss.ts'
import type { OnProgress } from './progress.ts'

export interface UpdateMetrics extends BatchMetrics {
  readonly loss: number
  /** 0 if the batch had no signal, which leaves the weights unchanged. */
  readonly optimizerSteps: number
  /** Undefined without an optimizer step, or if the engine does not report it. */
  readonly gradientNorm: number | undefined
  /**
   * Mean |difference| between the sampler's and the trainer's log-probabilities, before the first update. Undefined if the
   * trainer's were not computed.
   */
  readonly samplerMismatch: number | undefined
  readonly seconds: { readonly forward: number; readonly forwardBackward: number; readonly optimStep: number }
}

export interface LearnOptions {
  readonly loss: BatchLossOptions
  readonly optimizer: OptimizerStep
  /** Called before each optimizer step. */
  readonly onOptimStep?: (() => void) | undefined
  /** Counts the conversations of all updates; those without signal count once their update is done. */
  readonly onProgress?: OnProgress | undefined
  /** Stops before the first optimizer step; after it, the weights belong to no step until all updates are done. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Until the first optimizer step the policy is the one that sampled, so the recorded log-probabilities are its own and every
 * ratio is exactly 1. Later updates compute the current ones first.
 *
 * An update without signal makes no optimizer step: if no answer was better than another, only the KL term would be learned,
 * and AdamW's momentum and decay would move the weights even without a gradient.
 * @param batches one per update
 */
export async function learn(
  policy: Policy,
  batches: readonly (readonly TrainingConversation[])[],
  options: LearnOptions,
): Promise<UpdateMetrics> {
  const record = new LearningRecord(batches, options)
  for (const batch of batches) {
    record.begin(batch)
    const isOnPolicy = record.optimizerSteps === 0
    const signal = isOnPolicy ? options.signal : undefined
    const isIdle = !anyAdvantage(batch)
    if (isIdle && !isOnPolicy) continue
    const logprobs = isOnPolicy
      ? batch.map((conversation) => conversation.logprobs)
      : await record.timed('forward', () => policy.forward(batch, signal))
    const { loss, gradients, metrics } = batchLoss(batch, logprobs, options.loss)
    // Conversations without a gradient count in the averages but need no pass.
    const moving = [...batch.keys()].filter((i) => gradients[i]!.some((value) => value !== 0))
    if (isIdle || moving.length === 0) {
      record.add({ loss, metrics })
      continue
    }
    const of = <T>(values: readonly T[]) => moving.map((i) => values[i]!)
    const present = await record.timed('forwardBackward', () =>
      policy.forwardBackward(of(batch), of(gradients), signal, record.onDone),
    )
    if (isOnPolicy) record.samplerMismatch = meanDifference(of(logprobs), present)
    options.onOptimStep?.()
    const stepped = await record.timed('optimStep', () => policy.optimStep(options.optimizer))
    // Some engines report the norm only after the step. This error keeps a checkpoint from being written.
    requireFinite('the norm of the gradient', stepped.gradientNorm ?? 0)
    record.add({ loss, metrics, stepped })
  }
  return record.end()
}

interface Update {
  readonly metrics: BatchMetrics
  readonly loss: number
  /** Undefined without an optimizer step. */
  readonly stepped?: OptimizerResult
}

/** Progress of learning: updates, times, and the finished share. */
class LearningRecord {
  optimizerSteps = 0
  samplerMismatch: number | undefined
  readonly #options: LearnOptions
  readonly #conversations: readonly TrainingConversation[]
  readonly #updates: Update[] = []
  readonly #seconds = { forward: 0, forwardBackward: 0, optimStep: 0 }
  /** Conversations of earlier updates. */
  #before = 0
  /** Conversations up to and including the current update. */
  #begun = 0
  #through = 0

  constructor(batches: readonly (readonly TrainingConversation[])[], options: LearnOptions) {
    this.#conversations = batches.flat()
    this.#options = options
  }

  begin(batch: readonly TrainingConversation[]): void {
    this.#before = this.#begun
    this.#begun += batch.length
    this.#through = 0
    this.#tell(this.#before)
  }

  readonly onDone = (conversations: number): void => {
    this.#through += conversations
    this.#tell(this.#before + this.#through)
  }

  async timed<T>(phase: 'forward' | 'forwardBackward' | 'optimStep', work: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    const result = await work()
    this.#seconds[phase] += (performance.now() - startMs) / 1000
    return result
  }

  add(update: Update): void {
    this.#updates.push(update)
    if (update.stepped) this.optimizerSteps++
  }

  end(): UpdateMetrics {
    this.#tell(this.#conversations.length)
    return {
      ...meansOf(this.#updates),
      tokens: this.#conversations.reduce((sum, { responseTokens }) => sum + responseTokens.length, 0),
      optimizerSteps: this.optimizerSteps,
      samplerMismatch: this.samplerMismatch,
      seconds: this.#seconds,
    }
  }

  #tell(done: number): void {
    const total = this.#conversations.length
    this.#options.onProgress?.({ done, total, share: done / total })
  }
}

/** Means over the tokens of all updates. */
function meansOf(updates: readonly Update[]) {
  const mean = (of: (update: Update) => number | undefined): number | undefined => {
    const known = updates.filter((update) => of(update) !== undefined)
    const tokens = known.reduce((sum, { metrics }) => sum + metrics.tokens, 0)
    if (tokens === 0) return undefined
    return known.reduce((sum, update) => sum + of(update)! * update.metrics.tokens, 0) / tokens
  }
  const norms = updates.flatMap(({ stepped }) => stepped?.gradientNorm ?? [])
  return {
    loss: mean(({ loss }) => loss) ?? 0,
    kl: mean(({ metrics }) => metrics.kl),
    entropy: mean(({ metrics }) => metrics.entropy) ?? 0,
    clippedLow: mean(({ metrics }) => metrics.clippedLow) ?? 0,
    clippedHigh: mean(({ metrics }) => metrics.clippedHigh) ?? 0,
    dualClipped: mean(({ metrics }) => metrics.dualClipped) ?? 0,
    ratioDeviation: mean(({ metrics }) => metrics.ratioDeviation) ?? 0,
    largestRatioDeviation: Math.max(0, ...updates.map(({ metrics }) => metrics.largestRatioDeviation)),
    gradientNorm: norms.length === 0 ? undefined : norms.reduce((sum, norm) => sum + norm, 0) / norms.length,
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
