/** Settings from the environment: `MEMAGENT_CHUNK` is the option --chunk. */
import { ConfigurationError, MemAgentError } from '@memagent/core'
import type { Option } from 'commander'
import type { Terminal } from '../terminal.ts'
import { settableOptions } from './settings.ts'

/** Read elsewhere: by the backends of models, and where stores are opened. */
const readElsewhere = new Set(['base-url', 'store'])

/** `most-file-bytes` is `MEMAGENT_MOST_FILE_BYTES`. */
export const variableOf = (name: string): string => `MEMAGENT_${name.replaceAll('-', '_').toUpperCase()}`

/** Values by option name, parsed as on the command line. An empty variable counts as unset. @throws ConfigurationError */
export function variablesIn(environment: Terminal['environment']): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, option] of settableOptions) {
    const text = environment[variableOf(name)]
    if (text && !readElsewhere.has(name)) found[name] = parsed(variableOf(name), option, text)
  }
  return found
}

function parsed(variable: string, option: Option, text: string): unknown {
  if (!option.required && !option.optional) return truth(variable, text)
  // A header may contain a comma.
  const isHeader = option.long === '--header'
  const parts = isHeader ? text.split('\n') : option.variadic ? text.split(',') : [text]
  const values = parts.map((part) => part.trim()).filter((part) => part !== '')
  try {
    if (isHeader) return values.reduce((before, one) => option.parseArg!(one, before), undefined as never)
    return option.variadic ? values : option.parseArg ? option.parseArg(text, undefined as never) : text
  } catch (cause) {
    throw wrong(variable, (cause as Error).message, MemAgentError.isInstance(cause) ? cause.hint : undefined)
  }
}

function truth(variable: string, text: string): boolean {
  if (/^(?:true|1)$/i.test(text)) return true
  if (/^(?:false|0)$/i.test(text)) return false
  throw wrong(variable, `it takes true or false, not ${text}.`)
}

const wrong = (variable: string, message: string, hint?: string) =>
  new ConfigurationError({
    code: 'cli/bad-variable',
    message: `The environment variable ${variable}: ${message}`,
    hint,
  })
