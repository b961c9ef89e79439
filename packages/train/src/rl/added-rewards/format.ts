import type { AddedReward } from './added-reward.ts'

/** 1 if no response of a rollout was malformed for its workflow and the answer ends in a closed box, otherwise 0. */
export const format: AddedReward = ({ conversations, isBoxed }) =>
  Number(isBoxed && conversations.every(({ isMalformed }) => !isMalformed))
