/** Workflows by name; each is loaded on first use. */
import { type ModelProfile, paperProfile, withBudget } from '../chat/profile.ts'
import { ConfigurationError } from '../errors.ts'
import { memoriesIn } from './prompts/prompts.ts'
import { timesOf } from './prompts/template.ts'
import type { Workflow } from './workflow.ts'

const workflows = {
  overwrite: async () => (await import('./overwrite/overwrite.ts')).overwrite,
  edits: async () => (await import('./edits/edits.ts')).edits,
  'edits-confirmed': async () => (await import('./edits/edits.ts')).editsConfirmed,
  gated: async () => (await import('./gated/gated.ts')).gated,
  'gated-exit': async () => (await import('./gated/gated.ts')).gatedExit,
  slots: async () => (await import('./slots/slots.ts')).slots,
  recall: async () => (await import('./recall/recall.ts')).recall,
  skim: async () => (await import('./skim/skim.ts')).skim,
  'skim-edits': async () => (await import('./skim/skim.ts')).skimEdits,
  parallel: async () => (await import('./parallel/parallel.ts')).parallel,
} satisfies Record<string, () => Promise<Workflow>>

export const workflowNames: readonly string[] = Object.keys(workflows)

/** @throws ConfigurationError that lists the known names */
export async function workflowNamed(name: string): Promise<Workflow> {
  if (Object.hasOwn(workflows, name)) return workflows[name as keyof typeof workflows]()
  throw new ConfigurationError({
    code: 'workflow/unknown',
    message: `There is no workflow named ${name}.`,
    hint: `Known: ${workflowNames.join(', ')}; and modules by path, such as ./mine.ts (in code: loadWorkflow of @memagent/core/node).`,
  })
}

/**
 * The workflow if none is chosen: the model's own, otherwise the paper's.
 * @throws ConfigurationError if the profile names a workflow that is not built in
 */
export const defaultWorkflowOf = ({ workflows }: Pick<ModelProfile, 'workflows'>): Promise<Workflow> =>
  workflowNamed(workflows?.[0] ?? 'overwrite')

/**
 * For a model without a profile: the paper's profile. If prompts with a section show several memories, the chunk gives up room
 * for the further ones.
 */
export function profileFor({ prompts }: Pick<Workflow, 'prompts'>): ModelProfile {
  const { chunk, memory } = paperProfile.budget
  const templates = Object.values(Object.values(prompts.sets)[0]?.templates ?? {})
  const shown = templates.filter((one) => timesOf('section', one) > 0).map((one) => memoriesIn(one, prompts))
  const further = Math.max(1, ...shown) - 1
  return further === 0 ? paperProfile : withBudget(paperProfile, { chunk: chunk - further * memory })
}

/** Identity of a workflow in checkpoints and records. */
export const workflowIdentity = ({ name, fingerprint }: Pick<Workflow, 'name' | 'fingerprint'>): string =>
  fingerprint === undefined ? name : `${name} ${fingerprint}`
