/** Profiles from files, for models without one. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ConfigurationError, type ModelProfile, profileFileBeside } from '@memagent/core'
import { parseProfile } from '@memagent/core/settings'

/**
 * The named profile, or the one beside a GGUF file, as written by `memagent export gguf`; undefined if there is none.
 * @param spec of the model, such as `gguf:FILE`
 * @throws ConfigurationError when the named file cannot be read, a file is not a profile, or the model has its own
 */
export async function profileOf(spec: string, named: string | undefined): Promise<ModelProfile | undefined> {
  if (named !== undefined && spec.startsWith('embedded:')) {
    throw new ConfigurationError({
      code: 'cli/profile',
      message: `A model folder brings its own profile, so that --profile ${named} cannot be used with it.`,
      hint: 'Edit profile.json in the folder, or change single values with --window, --chunk, --memory, --output and others.',
    })
  }
  const gguf = /^gguf:(.+)$/s.exec(spec)?.[1]
  const file = named ?? (gguf === undefined ? undefined : profileFileBeside(gguf))
  if (file === undefined || (named === undefined && !existsSync(file))) return undefined
  return parseProfile(
    await readJsonFile(file, 'profile', 'Use a JSON file such as models/nano/profile.json.'),
    file,
  )
}

/** @throws ConfigurationError when the file is missing or not JSON */
export async function readJsonFile(
  path: string,
  kind: 'tokenizer' | 'profile',
  hint: string,
): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new ConfigurationError({
      code: `cli/${kind}`,
      message: `The ${kind} ${path} cannot be read: ${(cause as Error).message}`,
      hint,
      cause,
    })
  }
}
