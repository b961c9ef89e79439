/** Whether a store is sound: nothing is broken, no row belongs to nothing, and no step of a run is missing. */
import { DatabaseSync } from 'node:sqlite'
import { isPostgresAddress } from '@memagent/store'
import { administer } from '../../packages/store/src/testing/drivers.ts'

const incomplete = `SELECT id FROM runs WHERE sequence <>
  (SELECT count(*) FROM steps WHERE run = id AND steps.sequence BETWEEN 1 AND runs.sequence)`

/** @param location of a store @returns what is wrong with it */
export function problemsOf(location: string): Promise<readonly string[]> {
  return isPostgresAddress(location) ? ofPostgres(location) : ofSqlite(location)
}

async function ofSqlite(path: string): Promise<readonly string[]> {
  const database = new DatabaseSync(path, { timeout: 30_000 })
  try {
    const said = [
      ...database.prepare('PRAGMA integrity_check').all(),
      ...database.prepare('PRAGMA foreign_key_check').all(),
      ...database.prepare(incomplete).all(),
    ]
    return said.map((row) => JSON.stringify(row)).filter((row) => row !== '{"integrity_check":"ok"}')
  } finally {
    database.close()
  }
}

async function ofPostgres(address: string): Promise<readonly string[]> {
  // Every index against its table.
  const indexes = `SET search_path TO memagent, public; CREATE EXTENSION IF NOT EXISTS amcheck SCHEMA public;
    SELECT bt_index_check(c.oid, true) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = 'memagent' AND relkind = 'i' AND relam = (SELECT oid FROM pg_am WHERE amname = 'btree')`
  try {
    await administer(address, indexes)
    const orphans = ['steps', 'memories', 'conversations'].map(
      (table) => `SELECT '${table} ' || run AS id FROM ${table} WHERE run NOT IN (SELECT id FROM runs)`,
    )
    const rows = await administer(
      address,
      `SET search_path TO memagent; ${orphans.join(' UNION ALL ')} UNION ALL ${incomplete}`,
    )
    return rows.map((row) => JSON.stringify(row))
  } catch (error) {
    return [String(error)]
  }
}
