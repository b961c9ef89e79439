/** From groups of rollouts to what the loss is computed on. */
import { ConfigurationError, type ConversationTag } from '@memagent/core'
import { createRandom } from '@memagent/tasks'
import type { FrozenPolicy, Policy } from '../policy/policy.ts'
import {
  type AdvantageOptions,
  anyAdvantage,
  groupAdvantages,
  hasSignal,
  stepAdvantages,
} from './advantages.ts'
import type { TrainingConversation } from './batch-loss.ts'
import { type Credit, creditFactors } from './credit.ts'
import type { RolloutGroup } from './rollout-batch.ts'
import { type StepRewardName, stepRewards } from './step-rewards.ts'

export interface CreditOptions extends AdvantageOptions {
  readonly credit: Credit
  /** Rewards of single conversations beside the final one. */
  readonly steps?: { readonly name: StepRewardName; readonly alpha: number } | undefined
}

/**
 * Every conversation of every rollout, with the advantage it is credited with.
 * @throws ConfigurationError when one was not sampled from the policy's own distribution
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
        rollouts.map((rollout) => stepRewards[steps.name](rollout, sample)),
        steps.alpha,
        rollouts.map(({ conversations }) => conversations.map(({ tag }) => placeOf(tag))),
      )
    return rollouts.flatMap(({ conversations }, member) => {
      const factors = creditFactors(
        conversations.map(({ tag }) => tag.kind),
        options.credit,
      )
      return conversations.map(
        ({ promptTokens, response }, i): TrainingConversation => ({
          promptTokens,
          responseTokens: response.tokens,
          oldLogprobs: response.logprobs ?? noLogprobs(),
          advantage: (ofSteps?.[member]?.[i] ?? advantages[member]!) * factors[i]!,
          rollout: `${index}/${member}`,
        }),
      )
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

/** What a conversation is compared with in other rollouts: those of its kind at the same place. */
const placeOf = ({ kind, step, slot = 0, pass = 0 }: ConversationTag) => [kind, step, slot, pass].join('/')

/**
 * Whether anything can be learned from a group: its answers earned differently, or its single steps did. That some
 * responses were longer than others is no reason to keep a group whose answers are all right, or all wrong (DAPO,
 * arXiv 2503.14476, section 3.2).
 */
export const isInstructive = (group: RolloutGroup, options: CreditOptions): boolean =>
  options.steps
    ? anyAdvantage(
        trainingConversations([{ ...group, rewards: group.earned }], options).map(
          ({ advantage }) => advantage,
        ),
      )
    : hasSignal(group.earned)

/** The same with log-probabilities under the reference. */
export async function withReference(
  conversations: readonly TrainingConversation[],
  reference: FrozenPolicy,
  signal?: AbortSignal,
): Promise<TrainingConversation[]> {
  const logprobs = await reference.logprobs(conversations, signal)
  return conversations.map((conversation, i) => ({ ...conversation, referenceLogprobs: logprobs[i]! }))
}

/** The same with the policy's own log-probabilities in place of the sampler's. */
export async function rescored(
  conversations: readonly TrainingConversation[],
  policy: Policy,
  signal?: AbortSignal,
): Promise<TrainingConversation[]> {
  const logprobs = await policy.forward(conversations, signal)
  return conversations.map((conversation, i) => ({ ...conversation, oldLogprobs: logprobs[i]! }))
}

/**
 * Optimizer batches of nearly equal size, in random order: every update sees early and late conversations of every
 * question alike.
 */
export function splitIntoUpdates<T>(conversations: readonly T[], updates: number, seed: number): T[][] {
  const shuffled = updates > 1 ? createRandom('updates', seed).shuffle(conversations) : [...conversations]
  const size = shuffled.length / updates
  return Array.from({ length: updates }, (_, i) =>
    shuffled.slice(Math.round(i * size), Math.round((i + 1) * size)),
  ).filter((batch) => batch.length > 0)
}
