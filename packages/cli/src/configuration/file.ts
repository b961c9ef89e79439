/** Finds and reads the configuration file. */
import { existsSync } from 'node:fs'
import { parseYamlSettings, readSettingsFile } from '@memagent/core/settings'
import type { Terminal } from '../terminal.ts'
import { configurationPath } from './location.ts'
import { configurationSchema } from './settings.ts'

export type Settings = Readonly<Record<string, unknown>>

/** @param given value of --config; false: --no-config @returns undefined if there is no file */
export function configurationFile(
  given: string | boolean | undefined,
  environment: Terminal['environment'],
): string | undefined {
  const named = typeof given === 'string' ? given : environment.MEMAGENT_CONFIG || undefined
  if (given === false) return undefined
  // A file that is named must exist; the user's own need not.
  if (named !== undefined) return named
  const path = configurationPath({ environment })
  return path !== undefined && existsSync(path) ? path : undefined
}

/** @throws ConfigurationError naming file, line and setting */
export async function readConfiguration(path: string): Promise<Settings> {
  const file = { name: path, what: 'configuration', area: 'cli' }
  return parseYamlSettings(configurationSchema, await readSettingsFile(file), file) as Settings
}
