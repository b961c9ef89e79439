import { ConfigurationError } from '@memagent/core'
import type { AddedReward } from './added-reward.ts'

/** PI-Mem's `pass_reward_coef`. */
const coefficient = 0.2

/**
 * 0.2 * (K - k) / (K - 1) if the answer is right, after k of at most K passes (PI-Mem, arXiv 2608.03048; the paper adds it to
 * every rollout, its code only to right ones, as here). A last pass without news counts too.
 * @throws ConfigurationError for a workflow of one pass
 */
export const fewerPasses: AddedReward = ({ passes: { read, most } }, _, earned) => {
  if (most === 1) {
    throw new ConfigurationError({
      code: 'train/no-passes',
      message: 'reward.added has fewer-passes, but the workflow reads a text once.',
      hint: 'Train with `workflow: parallel`, or leave it out.',
    })
  }
  return earned === 1 ? (coefficient * (most - read)) / (most - 1) : 0
}
