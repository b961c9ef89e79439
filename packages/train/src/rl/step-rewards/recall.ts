import { ConfigurationError } from '@memagent/core'
import { format } from './format.ts'
import { foundReferences } from './found-references.ts'
import { memoryRecall } from './memory-recall.ts'
import type { StepReward } from './step-reward.ts'
import { requireUpdates } from './updates.ts'

/**
 * The share of the references that the old memory has which a response looked up, and that the memory beside which it is
 * shown has not. It is credited to the response that looked it up; 0 for others.
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
 * What ReMemR1 rewards in a step (arXiv 2509.23040, section 3.3), with references found or not instead of words recalled: what a
 * rewrite brought into the memory or lost from it, what the memory that it looked up has besides, and -1 for a response
 * without the form.
 * @throws ConfigurationError where the workflow looks nothing up, or has no rewrites
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
