/** Rewards besides the answer's, by the name in `reward.added`. */
import type { Reward } from '../rewards.ts'
import type { AddedReward } from './added-reward.ts'
import { exit } from './exit.ts'
import { fewerPasses } from './fewer-passes.ts'
import { format } from './format.ts'

export const addedRewards: Readonly<Record<string, AddedReward>> = {
  exit,
  format,
  'fewer-passes': fewerPasses,
}

/** The answer's reward plus the added ones. */
export const sumOfRewards =
  (ofAnswer: Reward, added: readonly AddedReward[]): Reward =>
  (rollout, sample) => {
    const earned = ofAnswer(rollout, sample)
    return added.reduce((sum, reward) => sum + reward(rollout, sample, earned), earned)
  }
