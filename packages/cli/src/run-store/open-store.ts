/** Opens the store that `--store` names, and makes commands in messages name it. Loads the packages of stores. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MemAgentError } from '@memagent/core'
import {
  checkLocation,
  dataFolder,
  isPostgresAddress,
  openRunStore,
  type Store,
  StoreError,
  withoutPassword,
} from '@memagent/store'
import { configuredStore } from '../configuration/configured-store.ts'
import { UsageError } from '../failures.ts'
import type { Terminal } from '../terminal.ts'
import type { StoreFlags } from './store-option.ts'

/** Where the store is, and where kept standard input and uploads are. */
export interface StorePlace {
  /** A path, or the address of a Postgres database, with its password. */
  readonly path: string
  readonly inputs: string
  /** Files that clients upload to a server. */
  readonly uploads: string
  /** No option, variable or configuration file names it. */
  readonly isDefault: boolean
}

/**
 * Undefined if the environment names no folder for data.
 * @throws ConfigurationError for a configuration file that is wrong; StoreError for an address of another kind
 */
export async function storePlace(
  { store, config }: StoreFlags & { readonly config?: string | boolean },
  { environment }: Pick<Terminal, 'environment'>,
): Promise<StorePlace | undefined> {
  const folder = dataFolder({ environment })
  const named = store || environment.MEMAGENT_STORE || (await configuredStore({ config }, environment))
  if (named) checkLocation(named)
  if (named && isPostgresAddress(named)) {
    return folder === undefined
      ? undefined
      : { path: named, ...foldersBeside(join(folder, folderName(named))), isDefault: false }
  }
  const path = named ? resolve(named) : folder && join(folder, 'runs.sqlite')
  return path === undefined ? undefined : { path, ...foldersBeside(path), isDefault: !named }
}

const foldersBeside = (path: string) => ({ inputs: `${path}.inputs`, uploads: `${path}.uploads` })

/** The same for every user and password of the database. */
function folderName(address: string): string {
  const place = withoutPassword(address).replace(/^\w+:\/\/(?:[^@/]*@)?/, '')
  return `postgres-${createHash('sha256').update(place).digest('hex').slice(0, 16)}`
}

export interface OpenStoreOptions {
  /**
   * Create the store if it is missing. False for commands that only look: a mistyped name must fail, given as an option, in a
   * variable or in a configuration. @default false
   */
  readonly canBeNew?: boolean
}

/** For the commands about runs. @throws UsageError, StoreError */
export async function openStore(
  flags: StoreFlags,
  terminal: Pick<Terminal, 'environment'>,
  { canBeNew = false }: OpenStoreOptions = {},
): Promise<{ readonly store: Store; readonly place: StorePlace }> {
  const place = await storePlace(flags, terminal)
  if (!place) throw noFolder()
  if (!place.isDefault && !canBeNew && !isPostgresAddress(place.path) && !existsSync(place.path))
    throw noStore(place.path)
  return { store: await openRunStore(place.path), place }
}

/**
 * Opens the store for some work, and closes it.
 * @throws what opening it and the work throw; commands in errors of stores name the same store
 */
export async function withStore<Result>(
  flags: StoreFlags,
  terminal: Pick<Terminal, 'environment'>,
  work: (store: Store, place: StorePlace) => Promise<Result>,
  options?: OpenStoreOptions,
): Promise<Result> {
  try {
    const { store, place } = await openStore(flags, terminal, options)
    return await work(store, place).finally(() => store.close())
  } catch (error) {
    throw namingStore(error, flags)
  }
}

/** The store that `--no-store` ignores, for its keys; undefined if there is none. @throws ConfigurationError, StoreError */
export async function openIgnoredStore(
  flags: StoreFlags,
  terminal: Pick<Terminal, 'environment'>,
): Promise<Store | undefined> {
  const place = await storePlace(flags, terminal)
  if (!place || !(isPostgresAddress(place.path) || existsSync(place.path))) return undefined
  try {
    return await openRunStore(place.path)
  } catch (error) {
    if (!StoreError.isInstance(error)) throw error
    throw new StoreError({
      code: error.code,
      message: `Whether the store ${withoutPassword(place.path)} has keys cannot be known: ${error.message}`,
      hint: 'Clients need a key where there is one, also with --no-store. Repair that store, or name another with MEMAGENT_STORE=PATH.',
      details: error.details,
      cause: error,
    })
  }
}

const noStore = (path: string) =>
  new StoreError({
    code: 'store/none',
    message: `There is no store ${path}.`,
    hint: 'Is the path right? A store is made by the first run that is kept in it.',
    details: { path },
  })

const noFolder = () =>
  new UsageError({
    code: 'cli/no-store',
    message: 'The environment names no folder for data (XDG_DATA_HOME, HOME).',
    hint: 'Name the store: --store PATH. For one in Postgres, too, standard input is kept in such a folder.',
  })

/** Added to commands so that they find the same store. */
export const storeArgument = ({ store }: StoreFlags): string =>
  store ? ` --store ${quoted(withoutPassword(store))}` : ''

/** Quotes a word for the shell. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}

/** Makes the commands in the error's hint name the same store, unless they already do. */
export function namingStore(error: unknown, flags: StoreFlags): unknown {
  if (!MemAgentError.isInstance(error) || !error.code.startsWith('store/') || !flags.store) return error
  const { code, message, hint, details } = error
  const commands = /\bmemagent (?:runs(?! export)(?: rm)?|show|keys|session \w+)\b(?: [0-9a-f]{10}\b)*/g
  const named = hint?.replace(commands, (command: string, at: number) =>
    hint.startsWith(' --store', at + command.length) ? command : command + storeArgument(flags),
  )
  return new MemAgentError({ code, message, hint: named, details, cause: error })
}
