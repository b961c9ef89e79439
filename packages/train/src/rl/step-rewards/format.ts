import type { StepReward } from './step-reward.ts'

/** -1 for a malformed response, 0 for others; compared with others of its kind and step. */
export const format: StepReward = ({ conversations }) =>
  conversations.map(({ isMalformed }) => (isMalformed ? -1 : 0))
