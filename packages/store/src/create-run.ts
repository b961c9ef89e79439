/** Inserts a run that its process holds. */
import { randomBytes } from 'node:crypto'
import { canonicalJson, type RunIdentity } from '@memagent/core'
import type { ProcessIdentity } from '@memagent/core/node'
import type { Queries } from './database.ts'
import type { Lease } from './lease.ts'
import { runKey } from './rows.ts'
import type { RunDescription } from './run-store.ts'

/**
 * How the keys of runs begin that were asked for by themselves: none continues another one, and they are kept also while
 * nothing was read.
 */
const ownKey = 'asked:'

/** SQL: whether a run was only begun by a reading, and so is nothing while nothing was read. */
export const isForgettable = `run_key NOT LIKE '${ownKey}%'`

export interface CreatedRun {
  readonly description: RunDescription
  readonly identity: RunIdentity
  readonly owner: ProcessIdentity
  readonly leaseMs: number
}

/** Undefined where an unfinished run with this identity exists. @param nowMs SQL for the store's clock */
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

/** A run that nobody reads yet; its identity is not known before that. @returns its id */
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
