/** Gives a command the defaults from the user's configuration. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError, isModulePath, parseModelSpec } from '@memagent/core'
import { isPromptFile, parseYamlSettings, readSettingsFile } from '@memagent/core/settings'
import type { Command } from 'commander'
import { backends } from '../backends.ts'
import type { Terminal } from '../terminal.ts'
import { configurationPath } from './location.ts'
import { configurationSchema, headerLines, settableOptions } from './settings.ts'

type Settings = Record<string, unknown>

/** Adds --config and --no-config. */
export function addConfiguration(command: Command, { environment }: Terminal): Command {
  return command
    .option(
      '--config <file>',
      "file with defaults of these options (default: in the user's configuration folder)",
    )
    .option('--no-config', 'ignore the configuration file')
    .hook('preAction', async (_, acting) => {
      const given = acting.opts<{ config?: string | boolean }>().config
      const path = typeof given === 'string' ? given : configurationPath({ environment })
      if (given === false || path === undefined) return
      // The user's own file may be missing; one named with --config may not.
      if (typeof given !== 'string' && !existsSync(path)) return
      await apply(path, acting, environment)
    })
}

async function apply(path: string, command: Command, environment: Terminal['environment']): Promise<void> {
  const file = { name: path, what: 'configuration', area: 'cli' }
  const read = parseYamlSettings(configurationSchema, await readSettingsFile(file), file) as Settings
  for (const [name, value] of Object.entries(suiting(read, path, command, environment))) {
    const option = settableOptions.get(name)!
    const attribute = option.attributeName()
    const isOption = command.options.some((each) => each.attributeName() === attribute)
    const source = command.getOptionValueSource(attribute)
    if (!isOption || (source !== undefined && source !== 'default')) continue
    command.setOptionValueWithSource(attribute, optionValue(name, value, path, environment), 'config')
  }
}

function optionValue(
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

/**
 * Without settings that belong to another model or server than the one on the command line: its headers and keys must not
 * be sent there, and its window and token prices do not apply. Nor do prompts of another workflow.
 */
function suiting(
  read: Settings,
  path: string,
  command: Command,
  environment: Terminal['environment'],
): Settings {
  const { model, baseUrl, workflow } = command.opts<{ model?: string; baseUrl?: string; workflow?: string }>()
  const isSameKind = model === undefined || backendOf(model) === backendOf(String(read.model ?? 'openai:'))
  const isOtherServer = baseUrl !== undefined || Boolean(environment.MEMAGENT_BASE_URL) || !isSameKind
  const isOtherModel = model !== undefined && read.model !== undefined && model !== read.model
  const isNamed = command.getOptionValueSource('workflow') === 'cli'
  const isOtherWorkflow = isNamed && workflow !== undefined && !isSameWorkflow(workflow, read.workflow, path)
  const dropped = new Set([
    ...(isOtherServer ? ['base-url', 'api-key-env', 'header'] : []),
    ...(isOtherModel ? ofTheModel : []),
    ...(isOtherWorkflow ? ['prompts'] : []),
  ])
  return Object.fromEntries(
    Object.entries(read).filter(([name, value]) => value !== undefined && !dropped.has(name)),
  )
}

const isSameWorkflow = (named: string, configured: unknown = 'overwrite', path: string): boolean =>
  isModulePath(named) ? resolve(named) === resolve(dirname(path), String(configured)) : named === configured

const ofTheModel = [
  'tokenizer',
  'profile',
  'prompts',
  'window',
  'question-budget',
  'chunk',
  'memory',
  'output',
]

const backendOf = (spec: string) => spec.split(':')[0]
