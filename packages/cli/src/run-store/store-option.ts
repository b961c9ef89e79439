/** `--store` and `--no-store`, and the store that they name. */
import { join, resolve } from 'node:path'
import { MemAgentError } from '@memagent/core'
import type { RunStore } from '@memagent/store'
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'
import type { Terminal } from '../terminal.ts'

export interface StoreFlags {
  /** False: keep nothing. */
  readonly store?: string | false
}

export const addStoreOption = (command: Command): Command =>
  command.option('--store <path>', 'the store of runs (default: runs.sqlite in your data folder)')

/** Where the store is, and where the texts from standard input that its runs read. */
export interface StorePlace {
  readonly path: string
  readonly inputs: string
}

/** Undefined if the environment names no folder for data. */
export async function storePlace(
  { store }: StoreFlags,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<StorePlace | undefined> {
  const { dataFolder } = await import('@memagent/store')
  const folder = dataFolder({ environment })
  const path = store ? resolve(store) : folder && join(folder, 'runs.sqlite')
  return path === undefined ? undefined : { path, inputs: `${path}.inputs` }
}

/** For the commands about runs. @throws UsageError, StoreError */
export async function openStore(
  flags: StoreFlags,
  terminal: Pick<Terminal, 'environment'>,
): Promise<{ readonly store: RunStore; readonly place: StorePlace }> {
  const place = await storePlace(flags, terminal)
  if (!place) throw noFolder()
  const { openRunStore } = await import('@memagent/store')
  return { store: await openRunStore(place.path), place }
}

/** For what else is kept there. @throws UsageError */
export async function storePathOf(
  flags: StoreFlags,
  terminal: Pick<Terminal, 'environment'>,
): Promise<string> {
  const place = await storePlace(flags, terminal)
  if (!place) throw noFolder()
  return place.path
}

const noFolder = () =>
  new UsageError({
    code: 'cli/no-store',
    message: 'The environment names no folder for data (XDG_DATA_HOME, HOME).',
    hint: 'Name the store: --store PATH',
  })

/** What to add to a command so that it finds the same store. */
export const storeArgument = ({ store }: StoreFlags): string => (store ? ` --store ${quoted(store)}` : '')

/** A word for the shell. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}

/** The error, with commands in its hint that find the same store. */
export function namingStore(error: unknown, flags: StoreFlags): unknown {
  if (!MemAgentError.isInstance(error) || !error.code.startsWith('store/') || !flags.store) return error
  const { code, message, hint, details } = error
  const commands = /\bmemagent (?:runs(?: rm)?|show)\b(?: [0-9a-f]{10}\b)?/g
  const named = hint?.replace(commands, (command) => command + storeArgument(flags))
  return new MemAgentError({ code, message, hint: named, details, cause: error })
}
