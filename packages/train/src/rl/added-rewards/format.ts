import type { AddedReward } from './added-reward.ts'

/** 1 where every response of a rollout had the form that its workflow asks for, and its answer ends in a closed box; otherwise 0. */
export const format: AddedReward = ({ conversations, isBoxed }) =>
  Number(isBoxed && conversations.every(({ isMalformed }) => !isMalformed))
