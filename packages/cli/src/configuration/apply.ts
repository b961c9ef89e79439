/** Applies the environment and the user's configuration to a command: the command line wins, then the environment. */
import { dirname, join, resolve } from 'node:path'
import { ConfigurationError, isModulePath, parseModelSpec } from '@memagent/core'
import { isPromptFile } from '@memagent/core/settings'
import type { Command } from 'commander'
import { backends } from '../backends.ts'
import type { Terminal } from '../terminal.ts'
import { configurationFile, readConfiguration, type Settings } from './file.ts'
import { headerLines, prices, settableOptions } from './settings.ts'
import { variablesIn } from './variables.ts'

/** Adds --config and --no-config. The environment sets what the command line leaves out, and the file the rest. */
export function addConfiguration(command: Command, { environment }: Terminal): Command {
  return command
    .option(
      '--config <file>',
      "file with defaults of these options (default: MEMAGENT_CONFIG, otherwise in the user's configuration folder)",
    )
    .option('--no-config', 'ignore the configuration file')
    .hook('preAction', async (_, acting) => {
      await nameStore(acting, environment)
      apply(suiting(variablesIn(environment), acting, {}), acting, 'env')
      const path = configurationFile(acting.opts<{ config?: string | boolean }>().config, environment)
      if (path === undefined) return
      const read = suiting(await readConfiguration(path), acting, { path, environment })
      apply(
        mapped(read, (name, value) => optionValue(name, value, path, environment)),
        acting,
        'config',
      )
    })
}

/**
 * Sets the store if `--config` or `--no-config` changes it: commands in messages have neither option, and must name it
 * themselves.
 */
async function nameStore(command: Command, environment: Terminal['environment']): Promise<void> {
  const { config, store } = command.opts<{ config?: string | boolean; store?: string | false }>()
  const canBeNamed = command.options.some(({ long }) => long === '--store')
  if (config === undefined || store !== undefined || !canBeNamed || environment.MEMAGENT_STORE) return
  // Imported late, since stores are rarely needed here.
  const [{ configuredStore }, { dataFolder }] = await Promise.all([
    import('./configured-store.ts'),
    import('@memagent/store'),
  ])
  const own = await configuredStore({ config }, environment)
  if (own === (await configuredStore({}, environment))) return
  const folder = dataFolder({ environment })
  const named = own ?? (folder && join(folder, 'runs.sqlite'))
  if (named !== undefined) command.setOptionValueWithSource('store', named, 'config')
}

/** Sets what is not set yet, except the store: it is looked up when opened, also by commands without other settings. */
function apply(settings: Settings, command: Command, source: 'env' | 'config'): void {
  for (const [name, value] of Object.entries(settings)) {
    const option = settableOptions.get(name)!
    const attribute = option.attributeName()
    const isOption = command.options.some((each) => each.long === option.long)
    const before = command.getOptionValueSource(attribute)
    if (!isOption || name === 'store' || (before !== undefined && before !== 'default')) continue
    // `no-store: false` has no effect.
    if (option.negate && value !== true) continue
    command.setOptionValueWithSource(attribute, option.negate ? false : value, source)
  }
}

const mapped = (settings: Settings, change: (name: string, value: unknown) => unknown): Settings =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, change(name, value)]))

/** The value of an option from a setting of the file at `path`, whose relative paths start at its folder. */
export function optionValue(
  name: string,
  value: unknown,
  path: string,
  environment: Terminal['environment'],
): unknown {
  const fromFolder = (target: string) => resolve(dirname(path), target)
  if (name === 'header') {
    return headerLines(value as Record<string, string>, environment, (variable, header) => {
      return new ConfigurationError({
        code: 'cli/no-variable',
        message: `${path}: the header ${header} needs the environment variable ${variable}, which is not set.`,
      })
    })
  }
  const isPath = /<(file|folder)>/.test(settableOptions.get(name)!.flags)
  if (isPath) return fromFolder(String(value))
  if (name === 'workflow') return isModulePath(String(value)) ? fromFolder(String(value)) : value
  if (name === 'prompts') return isPromptFile(String(value)) ? fromFolder(String(value)) : value
  if (name !== 'model') return value
  const { backend, target } = parseModelSpec(String(value), backends)
  if (backend === 'module') return target.startsWith('.') ? fromFolder(target) : target
  return backend === 'gguf' || backend === 'embedded' ? `${backend}:${fromFolder(target)}` : value
}

/** Where settings come from. Empty for those of the environment. */
interface Place {
  readonly path?: string
  readonly environment?: Terminal['environment']
}

/**
 * Drops settings of a model, server or workflow other than the one in effect: headers and keys must not be sent to another
 * server, the window and token prices of another model do not apply, and neither do prompts of another workflow.
 */
function suiting(read: Settings, command: Command, { path, environment = {} }: Place): Settings {
  const { model, baseUrl, workflow } = command.opts<{ model?: string; baseUrl?: string; workflow?: string }>()
  const isSameKind = model === undefined || backendOf(model) === backendOf(String(read.model ?? 'openai:'))
  const isOtherServer = baseUrl !== undefined || Boolean(environment.MEMAGENT_BASE_URL) || !isSameKind
  const isOtherModel = model !== undefined && read.model !== undefined && model !== read.model
  const isOtherWorkflow = workflow !== undefined && !isSameWorkflow(workflow, read.workflow, path)
  const dropped = new Set([
    ...(isOtherServer ? ['base-url', 'api-key-env', 'header'] : []),
    ...(isOtherModel ? ofTheModel : []),
    ...(isOtherWorkflow ? ['prompts'] : []),
    ...(environment.MEMAGENT_STORE ? ['no-store'] : []),
  ])
  return Object.fromEntries(
    Object.entries(read).filter(([name, value]) => value !== undefined && !dropped.has(name)),
  )
}

const isSameWorkflow = (named: string, configured: unknown = 'overwrite', path?: string): boolean =>
  isModulePath(named)
    ? resolve(named) === resolve(path === undefined ? '.' : dirname(path), String(configured))
    : named === configured

const ofTheModel = [
  ...['tokenizer', 'profile', 'prompts', 'window', 'question-budget', 'chunk', 'memory', 'output'],
  ...prices,
]

const backendOf = (spec: string) => spec.split(':')[0]
