/** Prompts as users choose them: by the name of a set, or as a file. */
import { basename } from 'node:path'
import { z } from 'zod'
import { type PromptSet, parsePromptSet } from '../workflows/prompts/prompts.ts'
import { parseYamlSettings, readSettingsFile } from './yaml-settings.ts'

export const promptsSchema = z.string().min(1).meta({
  description: 'A set of prompts of the workflow, or a YAML file with templates.',
  defaultIs: "the model's",
})

/** A file of prompts. The workflow defines which templates it must have. */
export const promptSetSchema = z
  .object({
    name: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'For records and messages.', defaultIs: "the file's" }),
    markers: z
      .array(z.string())
      .optional()
      .describe('What structures the templates beside their tags, such as `[END]`: no text may contain it.'),
  })
  .catchall(
    z.string().describe('A template by its name: `{section}` is a place, `{{section}}` the word in braces.'),
  )

/** Whether the choice is a file and not the name of a set, since names have no dots. */
export const isPromptFile = (choice: string): boolean => /[\\/.]/.test(choice)

/**
 * Resolves a choice: a name is kept, a file is replaced by its set. `promptsFor` checks that the workflow has such a set and
 * renders these templates.
 * @throws ConfigurationError if the file cannot be read or has no named templates
 */
export async function choosePrompts(choice: string): Promise<string | PromptSet> {
  if (!isPromptFile(choice)) return choice
  return parsePromptFile(await readSettingsFile(fileNamed(choice)), choice)
}

const fileNamed = (name: string) => ({ name, what: 'set of prompts', area: 'prompts' })

/** @throws ConfigurationError naming every wrong field, with its line */
export const parsePromptFile = (yaml: string, name: string): PromptSet =>
  parsePromptSet(
    parseYamlSettings(promptSetSchema, yaml, fileNamed(name)),
    name,
    basename(name).replace(/\.\w+$/, ''),
  )
