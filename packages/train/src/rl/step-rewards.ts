/** Rewards of single conversations beside the final one, by name. A new one is a function and a line here. */
import { containsReference, type Sample } from '@memagent/tasks'
import type { Rollout } from './rollout.ts'

/** @returns [conversations] rewards of a rollout's conversations, in order */
export type StepReward = (rollout: Rollout, sample: Sample) => number[]

/**
 * How much of the references a rewrite brought into the memory, or lost from it (ReMemR1, arXiv 2509.23040, section 3.3,
 * with references found or not instead of words recalled). 0 for other conversations.
 */
const memoryRecall: StepReward = ({ conversations, memories }, { references, memory: notes = '' }) => {
  const recall = (memory: string) =>
    references.length === 0
      ? 0
      : references.filter((reference) => containsReference(memory, reference)).length / references.length
  let before = recall(notes)
  let update = 0
  return conversations.map(({ tag }) => {
    if (tag.kind !== 'update') return 0
    const after = recall(memories[update++] ?? '')
    const gain = after - before
    before = after
    return gain
  })
}

export const stepRewards = { 'memory-recall': memoryRecall } as const satisfies Record<string, StepReward>

export type StepRewardName = keyof typeof stepRewards
