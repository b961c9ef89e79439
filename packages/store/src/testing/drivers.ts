/** The drivers that the tests of stores run on. */
import { openDatabase } from '../open-store.ts'
import { SqlRunStore } from '../sql-run-store.ts'
import type { Store } from '../store.ts'

export interface TestedDriver {
  readonly name: string
  /** Why it cannot be tried here. */
  readonly skipped?: string | undefined
  /** Where the store of this name is. */
  locate(folder: string, name: string): Promise<string>
}

export const drivers: readonly TestedDriver[] = [
  { name: 'sqlite', locate: async (folder, name) => `${folder}/${name}.sqlite` },
]

/** @param leaseMs @default as for everyone */
export const openTested = async (location: string, leaseMs?: number): Promise<Store> =>
  new SqlRunStore(await openDatabase(location), leaseMs)
