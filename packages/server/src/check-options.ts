/** Checks the options of a server as it starts: a limit that is no number would limit nothing. */
import { ConfigurationError } from '@memagent/core'

/** By name; they may come from JavaScript. */
type Given<Name extends string> = { readonly [name in Name]?: unknown }

const limits = ['readings', 'mostBytes', 'mostFileBytes', 'mcpWaitMs'] as const
const functions = ['findKey', 'onFailure', 'onRequest', 'now'] as const
const lists = ['hosts', 'origins', 'knownKeys'] as const
type AppOption = (typeof limits | typeof functions | typeof lists)[number] | 'store' | 'uploads'

/** Models are checked by `checkModels`. @throws ConfigurationError */
export function checkAppOptions(options: Given<AppOption>): void {
  for (const name of limits) requireNumber(name, options[name], name === 'mcpWaitMs' ? 0 : 1)
  for (const name of functions) {
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw wrong(`${name} is no function`)
  }
  for (const name of lists) {
    if (options[name] !== undefined && !Array.isArray(options[name])) throw wrong(`${name} is no list`)
  }
  const { store, uploads } = options
  if (store !== undefined && typeof (Object(store) as { readonly list?: unknown }).list !== 'function')
    throw wrong('store is no store', 'await openRunStore(path) of @memagent/store gives one.')
  if (uploads !== undefined && typeof uploads !== 'string') throw wrong('uploads is no path of a folder')
}

/** @throws ConfigurationError */
export function checkListenOptions({ hosts, port, sending }: Given<'hosts' | 'port' | 'sending'>): void {
  // Before they are joined with this machine's own.
  if (hosts !== undefined && !Array.isArray(hosts)) throw wrong('hosts is no list')
  if (port !== undefined && !(Number.isInteger(port) && (port as number) >= 0 && (port as number) < 65_536))
    throw wrong(`port cannot be ${String(port)}`, 'It takes a whole number from 0 to 65535.')
  if (sending === undefined) return
  const { headMs = 0, requestMs = 0 } = Object(sending) as Given<'headMs' | 'requestMs'>
  requireNumber('sending.headMs', headMs, 1)
  requireNumber('sending.requestMs', requestMs, 1)
}

function requireNumber(name: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === 'number' && value >= least)) return
  throw wrong(`${name} cannot be ${String(value)}`, `It takes a number of at least ${least}.`)
}

const wrong = (what: string, hint?: string) =>
  new ConfigurationError({ code: 'server/bad-option', message: `The option ${what}.`, hint })
