/** Whether the text of a task's documents comes from prose: only then do its questions depend on it. */
import { tasks } from '../registry.ts'
import { type RulerConfiguration, type RulerTaskName, rulerConfigurations } from '../ruler/configurations.ts'
import { unusedProse } from '../settings/task-options.ts'

/**
 * True also where it cannot be told: what a task of the user's does with the prose that it is given.
 * @param name of a task of this project, or `jsonl` or `module`
 * @param options that the task has accepted
 */
export async function takesProse(
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  if (name === 'jsonl') return options.pad === true
  if (name === 'module') return true
  if (name === 'real-documents') return options.padding === 'prose'
  if (Object.hasOwn(rulerConfigurations, name)) {
    const configuration: RulerConfiguration = rulerConfigurations[name as RulerTaskName]
    const hasEssays = configuration.family === 'niah' && configuration.haystack === 'essay'
    return hasEssays && options.essays === undefined
  }
  const { options: schema } = await tasks[name as keyof typeof tasks].definition()
  const { prose } = schema.shape as { readonly prose?: unknown }
  return prose !== undefined && prose !== unusedProse
}
