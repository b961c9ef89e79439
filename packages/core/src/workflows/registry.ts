/** Workflows by name; each is loaded on first use. */
import { ConfigurationError } from '../errors.ts'
import type { Workflow } from './workflow.ts'

const workflows = {
  overwrite: async () => (await import('./overwrite.ts')).overwrite,
  edits: async () => (await import('./edits.ts')).edits,
} satisfies Record<string, () => Promise<Workflow>>

export const workflowNames: readonly string[] = Object.keys(workflows)

/** @throws ConfigurationError that lists the known names */
export async function workflowNamed(name: string): Promise<Workflow> {
  if (Object.hasOwn(workflows, name)) return workflows[name as keyof typeof workflows]()
  throw new ConfigurationError({
    code: 'workflow/unknown',
    message: `There is no workflow named ${name}.`,
    hint: `Known: ${workflowNames.join(', ')}; and modules by path, such as ./mine.ts.`,
  })
}

/** Identity of a workflow in checkpoints and records. */
export const workflowIdentity = ({ name, fingerprint }: Pick<Workflow, 'name' | 'fingerprint'>): string =>
  fingerprint === undefined ? name : `${name} ${fingerprint}`
