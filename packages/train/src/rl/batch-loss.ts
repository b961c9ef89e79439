/**
 * The loss of one optimizer batch, and its gradient with respect to every token's log-probability. It covers the whole batch,
 * so splitting a batch for computation cannot change the result.
 */
import type { TokenSequence } from '../policy/policy.ts'
import { type PolicyLossOptions, tokenLoss } from './policy-loss.ts'

/** A conversation of a rollout, and its credit. */
export interface TrainingConversation extends TokenSequence {
  /** Of each response token, before the first update: the denominator of its ratio. */
  readonly logprobs: Float32Array
  /** Under the frozen reference; undefined without a KL term. */
  readonly referenceLogprobs?: Float32Array | undefined
  /** One for all its tokens: the rollout's advantage times the conversation's share of the credit. */
  readonly advantage: number
  /** Name of the rollout it belongs to. */
  readonly rollout: string
}

/**
 * How token losses are averaged into one.
 * - `token-mean`: every response token of the batch weighs the same, 1 / T (DAPO, MemAgent).
 * - `conversation-mean`: the mean over conversations of their token means.
 * - `rollout-mean`: the mean over rollouts of the mean over all their tokens.
 * - `conversation-sum`: the mean over conversations of their token sums over a constant length (Dr. GRPO).
 */
export type LossAggregation = 'token-mean' | 'conversation-mean' | 'rollout-mean' | 'conversation-sum'

export interface BatchLossOptions extends PolicyLossOptions {
  readonly aggregation: LossAggregation
  /** For `conversation-sum`. */
  readonly constantLength?: number | undefined
}

export interface BatchLoss {
  readonly loss: number
  /** d loss / d logprob of each response token of each conversation. */
  readonly gradients: Float32Array[]
  readonly metrics: BatchMetrics
}

/**
 * Means over the response tokens of the batch. `kl` and `entropy` are estimates for the policy where it sampled these tokens; with
 * `rollouts.from: start` they say how the policy scores tokens of the start.
 */
export interface BatchMetrics {
  readonly tokens: number
  /** Over tokens that have a reference; undefined if none do. */
  readonly kl: number | undefined
  /** Mean -logprob of the sampled tokens: an estimate of the entropy. */
  readonly entropy: number
  readonly clippedLow: number
  readonly clippedHigh: number
  readonly dualClipped: number
  /** Mean and largest |ratio - 1|. */
  readonly ratioDeviation: number
  readonly largestRatioDeviation: number
}

/**
 * J = sum over conversations and tokens of weight * (min(r A, clip(r) A) - beta k3); the loss is -J (MemAgent,
 * arXiv 2507.02259, equation 4).
 * @param logprobs of the response tokens under the current policy
 */
export function batchLoss(
  conversations: readonly TrainingConversation[],
  logprobs: readonly Float32Array[],
  options: BatchLossOptions,
): BatchLoss {
  const weights = tokenWeights(conversations, options.aggregation, options.constantLength)
  let [loss, tokens, kl, entropy, low, high, dual, deviation, largest] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  let referred = 0
  const gradients = conversations.map((conversation, i) => {
    const { logprobs: old, referenceLogprobs, advantage } = conversation
    const present = logprobs[i]!
    const gradient = new Float32Array(present.length)
    for (let t = 0; t < present.length; t++) {
      const token = tokenLoss(present[t]!, old[t]!, referenceLogprobs?.[t], advantage, options)
      gradient[t] = weights[i]! * token.gradient
      loss += weights[i]! * token.loss
      tokens++
      kl += token.kl
      referred += Number(referenceLogprobs !== undefined)
      entropy -= present[t]!
      low += Number(token.isClippedLow)
      high += Number(token.isClippedHigh)
      dual += Number(token.isDualClipped)
      const off = Math.abs(token.ratio - 1)
      deviation += off
      largest = Math.max(largest, off)
    }
    return gradient
  })
  const share = (sum: number) => (tokens === 0 ? 0 : sum / tokens)
  return {
    loss,
    gradients,
    metrics: {
      tokens,
      kl: referred === 0 ? undefined : kl / referred,
      entropy: share(entropy),
      clippedLow: share(low),
      clippedHigh: share(high),
      dualClipped: share(dual),
      ratioDeviation: share(deviation),
      largestRatioDeviation: largest,
    },
  }
}

/**
 * The weight of each token of conversation i in the loss of the batch, given all conversations of the optimizer batch.
 * @param constantLength what `conversation-sum` divides by
 * @returns [conversations]
 */
export function tokenWeights(
  conversations: readonly Pick<TrainingConversation, 'responseTokens' | 'rollout'>[],
  aggregation: LossAggregation,
  constantLength = 1,
): number[] {
  const count = conversations.length
  switch (aggregation) {
    case 'token-mean': {
      const total = conversations.reduce((sum, { responseTokens }) => sum + responseTokens.length, 0)
      return conversations.map(() => 1 / total)
    }
    case 'conversation-mean':
      return conversations.map(({ responseTokens }) => 1 / (count * responseTokens.length))
    case 'conversation-sum':
      return conversations.map(() => 1 / (count * constantLength))
    case 'rollout-mean': {
      const totals = new Map<string, number>()
      for (const { rollout, responseTokens } of conversations)
        totals.set(rollout, (totals.get(rollout) ?? 0) + responseTokens.length)
      return conversations.map(({ rollout }) => 1 / (totals.size * totals.get(rollout)!))
    }
  }
}
