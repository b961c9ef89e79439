/**
 * Rewards of a rollout: a metric of its task, and a punishment of responses close to their limit. Step rewards are in
 * `step-rewards`.
 */
import { inspect } from 'node:util'
import { ConfigurationError } from '@memagent/core'
import type { Sample } from '@memagent/tasks'
import type { Rollout } from './rollout.ts'

/** What a rollout earns: a finite number. */
export type Reward = (rollout: Rollout, sample: Sample) => number

/** @throws ConfigurationError unless the reward is a finite number: no other can be learned from, or compared in evaluations */
export function earnedReward(reward: Reward, rollout: Rollout, sample: Sample): number {
  const earned: unknown = reward(rollout, sample)
  if (Number.isFinite(earned)) return earned as number
  const isPromise = earned instanceof Promise
  throw new ConfigurationError({
    code: 'train/reward-not-finite',
    message: `The reward of ${sample.id} is ${isPromise ? 'a promise' : inspect(earned)}, not a finite number.`,
    hint: isPromise
      ? 'A reward returns its number at once: it cannot be an async function.'
      : 'Check the reward, and the score of the task if the reward is one of its metrics.',
    details: { sample: sample.id },
  })
}

/**
 * Uses a metric of the task as the reward, in training and in evaluation. 0 without a closed box at the end, or if a fallback
 * kept a memory or a response was malformed: only the model's own doing may be learned.
 * @returns a reward that throws ConfigurationError for a metric that the task lacks
 */
export const metricReward =
  (name: string): Reward =>
  ({ metrics, isBoxed, keptMemories, conversations }) => {
    const isItsOwn = keptMemories === 0 && !conversations.some(({ isMalformed }) => isMalformed)
    if (Object.hasOwn(metrics, name)) return isBoxed && isItsOwn ? metrics[name]! : 0
    throw new ConfigurationError({
      code: 'train/unknown-metric',
      message: `reward.metric is "${name}", but the task's score has no metric of that name.`,
      hint: `It has: ${Object.keys(metrics).join(', ') || 'none'}.`,
      details: { name, known: Object.keys(metrics) },
    })
  }

export interface OverlongOptions {
  /** The punishment grows from 0 to 1 over this many tokens before the limit. */
  readonly buffer: number
  /** Weight of the punishment in the reward. */
  readonly coefficient: number
}

/**
 * DAPO's soft overlong punishment (arXiv 2503.14476, equation 13) for one response: 0 up to `limit - buffer` tokens, then
 * linearly down to -1 at the limit.
 */
export function overlongPunishment(tokens: number, limit: number, buffer: number): number {
  if (tokens <= limit - buffer) return 0
  return tokens >= limit ? -1 : (limit - buffer - tokens) / buffer
}

/** The mean punishment over a rollout's conversations times the coefficient, to add to its reward. 0 or less. */
export function overlongReward(
  conversations: readonly { readonly responseTokens: readonly number[]; readonly maxTokens: number }[],
  { buffer, coefficient }: OverlongOptions,
): number {
  if (conversations.length === 0) return 0
  const sum = conversations.reduce(
    (total, { responseTokens, maxTokens }) =>
      total + overlongPunishment(responseTokens.length, maxTokens, buffer),
    0,
  )
  return (coefficient * sum) / conversations.length
}
