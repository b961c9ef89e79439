/** Inserts runs. */
import { randomBytes } from 'node:crypto'
import { canonicalJson, type RunIdentity } from '@memagent/core'
import type { ProcessIdentity } from '@memagent/core/node'
import type { Queries } from './database.ts'
import type { Lease } from './lease.ts'
import { runKey } from './rows.ts'
import type { RunDescription } from './run-store.ts'

/**
 * Prefix of the keys of runs that were created before being read: they never continue another run, and they are kept even
 * while nothing was read.
 */
const ownKey = 'asked:'

/** SQL: whether the run was created by a reading that began, and so can be forgotten while nothing was read. */
export const isForgettable = `run_key NOT LIKE '${ownKey}%'`

export interface CreatedRun {
  readonly description: RunDescription
  readonly identity: RunIdentity
  readonly owner: ProcessIdentity
  readonly leaseMs: number
}

/** @returns undefined if an unfinished run with this identity exists @param nowMs SQL for the store's clock */
export async function createRun(
  queries: Queries,
  nowMs: string,
  { description, identity, owner, leaseMs }: CreatedRun,
): Promise<Lease | undefined> {
  const id = randomBytes(5).toString('hex')
  const created = await queries.run(
    `INSERT INTO runs (id, run_key, state, created_ms, updated_ms, steps, sequence, epoch, owner, leased_until_ms, description, identity)
      VALUES (?, ?, 'unfinished', ${nowMs}, ${nowMs}, 0, 0, 1, ?, ${nowMs} + ?, ?, ?) ON CONFLICT DO NOTHING`,
    id,
    runKey(identity),
    JSON.stringify(owner),
    leaseMs,
    JSON.stringify(description),
    canonicalJson(identity),
  )
  return created === 0 ? undefined : { id, epoch: 1 }
}

/** Creates a run that nobody reads yet, so its identity is not known. @returns its id */
export async function createAskedRun(
  queries: Queries,
  nowMs: string,
  description: RunDescription,
): Promise<string> {
  const id = randomBytes(5).toString('hex')
  await queries.run(
    `INSERT INTO runs (id, run_key, state, created_ms, updated_ms, steps, sequence, epoch, description, identity)
      VALUES (?, ?, 'unfinished', ${nowMs}, ${nowMs}, 0, 0, 0, ?, '{}')`,
    id,
    ownKey + id,
    JSON.stringify(description),
  )
  return id
}
