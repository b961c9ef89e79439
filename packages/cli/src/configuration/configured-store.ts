/** The store that the configuration file names, for every command that opens one. */
import { dirname, resolve } from 'node:path'
import { checkLocation, isPostgresAddress } from '@memagent/store'
import type { Terminal } from '../terminal.ts'
import { configurationFile, readConfiguration } from './file.ts'

/** @throws ConfigurationError for a file that is wrong */
export async function configuredStore(
  { config }: { readonly config?: string | boolean | undefined },
  environment: Terminal['environment'],
): Promise<string | undefined> {
  const path = configurationFile(config, environment)
  if (path === undefined) return undefined
  const { store } = await readConfiguration(path)
  if (typeof store !== 'string') return undefined
  checkLocation(store)
  return isPostgresAddress(store) ? store : resolve(dirname(path), store)
}
