/** The limits from the environment or the configuration file, for a command that takes no other settings from them. */
import type { LimitFlags } from '../commands/limit-options.ts'
import type { Terminal } from '../terminal.ts'
import { optionValue } from './apply.ts'
import { configurationFile, readConfiguration, type Settings } from './file.ts'
import { prices, settableOptions } from './settings.ts'
import { variablesIn } from './variables.ts'

const limits = ['max-calls', 'max-cost']

/**
 * @param model that is paid for: prices beside another model do not apply; undefined: the bundled one
 * @throws ConfigurationError for a file or a variable that is wrong
 */
export async function configuredLimits(
  environment: Terminal['environment'],
  model: unknown,
): Promise<LimitFlags> {
  const path = configurationFile(undefined, environment)
  const file = path === undefined ? {} : await readConfiguration(path)
  const named = file.model && optionValue('model', file.model, path!, environment)
  const variables = variablesIn(environment)
  const settings = { ...limitsIn(file, named, model), ...limitsIn(variables, variables.model, model) }
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [settableOptions.get(name)!.attributeName(), value]),
  )
}

function limitsIn(settings: Settings, named: unknown, model: unknown): Settings {
  const isOther = named !== undefined && named !== model
  const names = isOther ? limits : [...limits, ...prices]
  return Object.fromEntries(
    names.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]),
  )
}
