/** The drivers that the tests of stores run on. */
import { createHash } from 'node:crypto'
import { openDatabase } from '../open-store.ts'
import { loadPg } from '../postgres/load-pg.ts'
import { SqlRunStore } from '../sql-run-store.ts'
import type { Store } from '../store.ts'
import { findPostgres } from './find-postgres.ts'

export interface TestedDriver {
  readonly name: string
  /** Why the driver cannot be tested here. */
  readonly skipped?: string | undefined
  /** The location of the store of this name. */
  locate(folder: string, name: string): Promise<string>
}

const found = findPostgres()

export const drivers: readonly TestedDriver[] = [
  { name: 'sqlite', locate: async (folder, name) => `${folder}/${name}.sqlite` },
  {
    name: 'postgres',
    skipped: 'missing' in found ? found.missing : undefined,
    locate: (folder, name) =>
      databaseOf(`test_${createHash('sha256').update(`${folder}/${name}`).digest('hex').slice(0, 16)}`),
  },
]

/** The Postgres of this test run, started on first use. */
export async function testCluster(): Promise<{ readonly address: string; readonly port: number }> {
  const response = await fetch(process.env.MEMAGENT_TEST_POSTGRES!)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { address: string; port: number }
}

const databases = new Map<string, Promise<unknown>>()

/** A database that is empty on first use. @returns its address */
async function databaseOf(name: string): Promise<string> {
  const { address } = await testCluster()
  if (!databases.has(name)) databases.set(name, administer(`${address}postgres`, `CREATE DATABASE "${name}"`))
  await databases.get(name)
  return `${address}${name}`
}

/** @returns the rows of the last statement */
export async function administer(address: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const { Client } = await loadPg()
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    return [await client.query(sql)].flat().at(-1)!.rows
  } finally {
    await client.end()
  }
}

/** @param leaseMs @default as for everyone */
export const openTested = async (location: string, leaseMs?: number): Promise<Store> =>
  new SqlRunStore(await openDatabase(location), leaseMs)
