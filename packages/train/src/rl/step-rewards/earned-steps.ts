/** Applies a step reward to a rollout and checks the result, since it may be a user's function. */
import { inspect } from 'node:util'
import { ConfigurationError, MemAgentError } from '@memagent/core'
import type { Sample } from '@memagent/tasks'
import type { Rollout } from '../rollout.ts'
import type { StepReward } from './step-reward.ts'

/**
 * @param name of the reward, for messages. @default 'A step reward'
 * @throws ConfigurationError unless it returns one finite number per conversation
 */
export function earnedSteps(
  { reward, name = 'A step reward' }: { readonly reward: StepReward; readonly name?: string | undefined },
  rollout: Rollout,
  sample: Sample,
): readonly number[] {
  const wrong = (problem: string, cause?: unknown) =>
    new ConfigurationError({
      code: 'train/step-rewards',
      message: `${name} ${problem} for the ${rollout.conversations.length} conversations of a rollout of ${sample.id}; it must give one finite number for each.`,
      hint:
        earned instanceof Promise
          ? 'A step reward returns its numbers at once: it cannot be an async function.'
          : 'It is a function (rollout, sample) => number[].',
      details: { sample: sample.id },
      cause,
    })
  let earned: unknown
  try {
    earned = reward(rollout, sample)
  } catch (cause) {
    // Our own errors already name the problem.
    if (MemAgentError.isInstance(cause)) throw cause
    throw wrong(`failed (${cause instanceof Error ? cause.message : inspect(cause)})`, cause)
  }
  if (earned instanceof Promise) {
    // An unhandled rejection would end the process.
    earned.catch(() => undefined)
    throw wrong('gave a promise')
  }
  if (!Array.isArray(earned)) throw wrong(`gave ${inspect(earned)}`)
  if (earned.length === rollout.conversations.length && earned.every(Number.isFinite)) return earned
  throw wrong(`gave [${earned.join(', ')}]`)
}
