import { ConfigurationError } from '@memagent/core'
import { evidenceOf, holdsEvidence } from '../evidence.ts'
import type { StepReward } from './step-reward.ts'
import { requireUpdates } from './updates.ts'

/**
 * 1 if the update gate is right about whether the chunk holds evidence, -1 if it is wrong or the response has no gates
 * (GRU-Mem, arXiv 2602.10560). 0 for other conversations, and if the task does not tell its evidence.
 * @throws ConfigurationError for a workflow without gates or rewrites
 */
export const updateGate: StepReward = (rollout, sample) => {
  requireUpdates('update-gate', rollout)
  const { conversations, chunks, gates } = rollout
  const evidence = evidenceOf(sample)
  return conversations.map(({ tag, isMalformed }) => {
    if (tag.kind !== 'update' || evidence === undefined) return 0
    const update = gates[tag.step]?.update
    if (update === undefined && !isMalformed) throw withoutGates()
    return update === holdsEvidence(chunks[tag.step]!, evidence) ? 1 : -1
  })
}

const withoutGates = () =>
  new ConfigurationError({
    code: 'train/no-gates',
    message: 'reward.steps.name is update-gate, but the workflow has no gates.',
    hint: 'Train with `workflow: gated` or `gated-exit`, or reward other steps.',
  })
