/** Opens a store. */
import { isAbsolute, join } from 'node:path'
import type { Database } from './database.ts'
import { StoreError } from './errors.ts'
import { isPostgresAddress } from './postgres/address.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { migrate } from './schema.ts'
import { SqlRunStore } from './sql-run-store.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Store } from './store.ts'

/**
 * Opens or creates the store in this file or Postgres database.
 * @param location a path, or `postgres://USER@HOST:PORT/DATABASE`; its password may be in PGPASSWORD
 * @throws StoreError for another kind of address, and if it cannot be reached or written, is damaged, has a newer version or is not a store; with code
 * `store/no-sqlite` on Node before 22.13, `store/no-pg` if the package pg is not installed
 */
export async function openRunStore(location: string): Promise<Store> {
  return new SqlRunStore(await openDatabase(location))
}

/** Opens the database and creates or upgrades its tables. */
export async function openDatabase(location: string): Promise<Database> {
  checkLocation(location)
  const database = await (isPostgresAddress(location) ? openPostgres(location) : openSqlite(location))
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** As a path it would become a file, with the password of an address in its name. @throws StoreError for another kind of address */
export function checkLocation(location: string): void {
  const [address] = /^[a-z][a-z\d+.-]*:\/\//i.exec(location) ?? []
  const other = location === ':memory:' ? location : address
  if (other === undefined || isPostgresAddress(location)) return
  throw new StoreError({
    code: 'store/unknown-kind',
    message: `There is no store at ${other}: a store is a file, or a database of Postgres.`,
    hint: 'Give a path, or postgres://USER@HOST:PORT/DATABASE. Where nothing is to be kept, leave the store out (--no-store).',
  })
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** @default process.platform */
  readonly platform?: NodeJS.Platform | undefined
}

/** The user's data folder for memagent; undefined if the environment names none. Relative folders are ignored. */
export function dataFolder({ environment, platform = process.platform }: Surroundings): string | undefined {
  const folder = (name: string, ...below: string[]) => {
    const value = environment[name]
    return value && isAbsolute(value) ? join(value, ...below, 'memagent') : undefined
  }
  return (
    folder('XDG_DATA_HOME') ??
    (platform === 'win32'
      ? folder('LOCALAPPDATA')
      : platform === 'darwin'
        ? folder('HOME', 'Library', 'Application Support')
        : folder('HOME', '.local', 'share'))
  )
}
