/** Prompts as people choose them: by the name of a set, or by a file. */
import { basename } from 'node:path'
import { z } from 'zod'
import { type PromptSet, parsePromptSet } from '../workflows/prompts.ts'
import { parseYamlSettings, readSettingsFile } from './yaml-settings.ts'

export const promptsSchema = z.string().min(1).meta({
  description: 'A set of prompts of the workflow, or a YAML file with templates.',
  defaultIs: "the model's",
})

/** Whether the choice is a file's, and no name of a set. */
export const isPromptFile = (choice: string): boolean => /[\\/]|\.(?:ya?ml|json)$/i.test(choice)

/**
 * What a choice stands for: a name as it is, a file as the set in it. Whether the workflow has such a set, and whether the
 * templates are those that it renders, `promptsFor` says.
 * @throws ConfigurationError when the file cannot be read or holds no templates by name
 */
export async function choosePrompts(choice: string): Promise<string | PromptSet> {
  if (!isPromptFile(choice)) return choice
  const file = { name: choice, what: 'set of prompts', area: 'prompts' }
  const fields = parseYamlSettings(z.unknown(), await readSettingsFile(file), file)
  return parsePromptSet(fields, choice, basename(choice).replace(/\.\w+$/, ''))
}
