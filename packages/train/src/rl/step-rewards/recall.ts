import { ConfigurationError } from '@memagent/core'
import { format } from './format.ts'
import { foundReferences } from './found-references.ts'
import { memoryRecall } from './memory-recall.ts'
import type { StepReward } from './step-reward.ts'
import { requireUpdates } from './updates.ts'

/**
 * The share of the references in the old memory that a response looked up but missing from the memory it is shown beside.
 * Credited to the response that looked it up; 0 for others.
 */
const callback: StepReward = ({ conversations, memories, recalls }, sample) => {
  let update = 0
  return conversations.map(({ tag }) => {
    if (tag.kind !== 'update') return 0
    const [memory = '', recall] = [memories[update], recalls[update]]
    update++
    if (recall?.query === undefined || recall.memory === undefined) return 0
    return foundReferences(sample, memory, recall.memory) - foundReferences(sample, memory)
  })
}

/**
 * ReMemR1's step reward (arXiv 2509.23040, section 3.3), with references found or not instead of words recalled: what a
 * rewrite brought into the memory or lost from it, what the memory it looked up adds, and -1 for a malformed response.
 * @throws ConfigurationError if the workflow looks nothing up, or has no rewrites
 */
export const recall: StepReward = (rollout, sample) => {
  requireUpdates('recall', rollout)
  if (rollout.recalls.length > 0 && rollout.recalls.every((one) => one === undefined)) {
    throw new ConfigurationError({
      code: 'train/no-recall',
      message: 'reward.steps.name is recall, but the workflow recalls no memories.',
      hint: 'It is for the workflow recall; memory-recall is for any other.',
    })
  }
  const parts = [memoryRecall, callback, format].map((reward) => reward(rollout, sample))
  return rollout.conversations.map((_, i) => parts.reduce((sum, rewards) => sum + rewards[i]!, 0))
}
