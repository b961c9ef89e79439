/** Turns groups of rollouts into the conversations that the loss is computed on. */
import { ConfigurationError } from '@memagent/core'
import { createRandom } from '@memagent/tasks'
import type { Policy } from '../policy/policy.ts'
import {
  type AdvantageOptions,
  anyAdvantage,
  type Credit,
  creditFactors,
  groupAdvantages,
  hasSignal,
  stepAdvantages,
} from './advantages.ts'
import type { TrainingConversation } from './batch-loss.ts'
import { meanDifference } from './learn.ts'
import type { OnProgress } from './progress.ts'
import { placeOf } from './rollout.ts'
import type { RolloutGroup } from './rollout-batch.ts'
import { earnedSteps } from './step-rewards/earned-steps.ts'
import type { StepReward } from './step-rewards/step-reward.ts'

export interface StepCredit {
  readonly reward: StepReward
  readonly alpha: number
  /** Name of the reward, for messages. */
  readonly name?: string | undefined
}

export interface CreditOptions extends AdvantageOptions {
  readonly credit: Credit
  /** Step rewards besides the final one: A = alpha * A of the answer + (1 - alpha) * A of the step. */
  readonly steps?: StepCredit | undefined
}

/**
 * Every conversation of every rollout, with its advantage.
 * @throws ConfigurationError if one was not sampled from the policy's own distribution
 */
export function trainingConversations(
  groups: readonly RolloutGroup[],
  options: CreditOptions,
): TrainingConversation[] {
  const { steps } = options
  return groups.flatMap(({ index, sample, rollouts, rewards }) => {
    const advantages = groupAdvantages(rewards, options)
    const ofSteps =
      steps &&
      stepAdvantages(
        advantages,
        rollouts.map((rollout) => earnedSteps(steps, rollout, sample)),
        steps.alpha,
        rollouts.map(({ conversations }) => conversations.map(({ tag }) => placeOf(tag))),
      )
    return rollouts.flatMap(({ conversations }, member) => {
      const factors = creditFactors(
        conversations.map(({ tag }) => tag.kind),
        options.credit,
      )
      return conversations.map((conversation, i) => ({
        ...conversation,
        logprobs: conversation.logprobs ?? noLogprobs(),
        advantage: (ofSteps?.[member]?.[i] ?? advantages[member]!) * factors[i]!,
        rollout: `${index}/${member}`,
      }))
    })
  })
}

function noLogprobs(): never {
  throw new ConfigurationError({
    code: 'train/other-distribution',
    message: 'A rollout was sampled from another distribution than the policy learns.',
    hint: 'Sample rollouts at the temperature of the policy, and with topP 1.',
  })
}

/**
 * Whether anything can be learned from a group: its answers, or its single steps, earned different rewards. Longer responses
 * alone are no reason to keep a group whose answers are all right, or all wrong (DAPO, arXiv 2503.14476, section 3.2).
 */
export const isInstructive = (group: RolloutGroup, options: CreditOptions): boolean =>
  options.steps
    ? anyAdvantage(trainingConversations([{ ...group, rewards: group.earned }], options))
    : hasSignal(group.earned)

export interface ScoringOptions {
  /** Log-probabilities under the reference, for a KL term. */
  readonly wantsReference: boolean
  /** Replaces the sampler's log-probabilities with the policy's own. */
  readonly rescores: boolean
  /** Reports progress if anything is requested. */
  readonly onProgress?: OnProgress | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Adds the log-probabilities that the loss needs besides the sampler's. Requests none if nothing can be learned.
 * @returns also their distance from the sampler's, if recomputed
 */
export async function scoreConversations(
  policy: Policy,
  conversations: readonly TrainingConversation[],
  { wantsReference, rescores, onProgress, signal }: ScoringOptions,
): Promise<{
  readonly conversations: readonly TrainingConversation[]
  readonly samplerMismatch?: number
}> {
  if (!anyAdvantage(conversations) || !(rescores || wantsReference)) return { conversations }
  onProgress?.({ done: 0, total: conversations.length, share: 0 })
  const own = rescores ? await policy.forward(conversations, signal) : undefined
  const reference = wantsReference ? await policy.reference.logprobs(conversations, signal) : undefined
  const scored = conversations.map((conversation, i) => ({
    ...conversation,
    ...(own && { logprobs: own[i]! }),
    ...(reference && { referenceLogprobs: reference[i]! }),
  }))
  const sampled = conversations.map(({ logprobs }) => logprobs)
  return { conversations: scored, ...(own && { samplerMismatch: meanDifference(sampled, own) }) }
}

/**
 * Splits into shuffled optimizer batches of nearly equal size, so every update sees early and late conversations of every
 * question.
 */
export function splitIntoUpdates<T>(conversations: readonly T[], updates: number, seed: number): T[][] {
  const shuffled = updates > 1 ? createRandom('updates', seed).shuffle(conversations) : [...conversations]
  const size = shuffled.length / updates
  return Array.from({ length: updates }, (_, i) =>
    shuffled.slice(Math.round(i * size), Math.round((i + 1) * size)),
  ).filter((batch) => batch.length > 0)
}
