import { foundReferences } from './found-references.ts'
import type { StepReward } from './step-reward.ts'
import { requireUpdates } from './updates.ts'

/**
 * The share of the references that a rewrite brought into the memory, or lost from it (ReMemR1, arXiv 2509.23040, section 3.3,
 * with references found or not instead of words recalled); if any one answers, whether one is there. 0 for other conversations.
 * @throws ConfigurationError if the workflow has no rewrites
 */
export const memoryRecall: StepReward = (rollout, sample) => {
  requireUpdates('memory-recall', rollout)
  const { conversations, memories } = rollout
  let before = foundReferences(sample, sample.memory ?? '')
  let update = 0
  return conversations.map(({ tag }) => {
    if (tag.kind !== 'update') return 0
    const after = foundReferences(sample, memories[update++] ?? '')
    const gain = after - before
    before = after
    return gain
  })
}
