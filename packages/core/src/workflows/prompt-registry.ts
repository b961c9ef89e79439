/** Prompts by name, for profiles that are files. */
import { ConfigurationError } from '../errors.ts'
import { compactPrompts } from './compact-prompts.ts'
import { paperPrompts } from './paper-prompts.ts'
import type { Prompts } from './prompts.ts'

const prompts: readonly Prompts[] = [paperPrompts, compactPrompts]

/** @throws ConfigurationError that lists the known names */
export function promptsNamed(name: string): Prompts {
  const found = prompts.find((candidate) => candidate.name === name)
  if (found) return found
  throw new ConfigurationError({
    code: 'prompts/unknown',
    message: `There are no prompts named ${name}.`,
    hint: `Known: ${prompts.map((known) => known.name).join(', ')}.`,
  })
}
