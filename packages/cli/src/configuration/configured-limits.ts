/** The limits from the environment or the configuration file, for a command that takes no other settings from them. */
import type { LimitFlags } from '../commands/limit-options.ts'
import type { Terminal } from '../terminal.ts'
import { configurationFile, readConfiguration } from './file.ts'
import { settableOptions } from './settings.ts'
import { variablesIn } from './variables.ts'

const names = ['max-calls', 'max-cost', 'price-in', 'price-out', 'price-cached']

/** @throws ConfigurationError for a file or a variable that is wrong */
export async function configuredLimits(environment: Terminal['environment']): Promise<LimitFlags> {
  const path = configurationFile(undefined, environment)
  const settings = {
    ...(path === undefined ? {} : await readConfiguration(path)),
    ...variablesIn(environment),
  }
  const given = names.filter((name) => settings[name] !== undefined)
  return Object.fromEntries(given.map((name) => [settableOptions.get(name)!.attributeName(), settings[name]]))
}
