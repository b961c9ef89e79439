/** Rewards of rewrites need conversations that rewrite the memory after a chunk: those of the kind `update`. */
import { ConfigurationError, type Json, type Workflow } from '@memagent/core'
import type { Rollout } from '../rollout.ts'

const rewardsOfUpdates = ['memory-recall', 'update-gate', 'recall']
/** These report chunks and merge the reports. */
const workflowsWithoutUpdates = ['parallel']

/** @throws ConfigurationError if the workflow is one of this project's that have no such conversations */
export function checkUpdates(
  reward: string,
  {
    name,
    conversationsOf = name,
    fingerprint,
  }: Pick<Workflow<Json>, 'name' | 'conversationsOf' | 'fingerprint'>,
): void {
  const isKnown = fingerprint === undefined && workflowsWithoutUpdates.includes(conversationsOf)
  if (isKnown && rewardsOfUpdates.includes(reward)) throw withoutUpdates(reward, `the workflow ${name}`)
}

/** @throws ConfigurationError if a reading of a text has none, and so could earn nothing */
export function requireUpdates(reward: string, { chunks, conversations }: Rollout): void {
  if (chunks.length === 0 || conversations.some(({ tag }) => tag.kind === 'update')) return
  throw withoutUpdates(reward, 'the workflow')
}

const withoutUpdates = (reward: string, workflow: string) =>
  new ConfigurationError({
    code: 'train/no-updates',
    message: `reward.steps.name is ${reward}, but ${workflow} has no conversations of the kind update, which earn it.`,
    hint: 'Choose another workflow, such as overwrite, or another reward of steps: format, or a module of your own.',
    details: { reward },
  })
