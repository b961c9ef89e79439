/**
 * Who may write a run. A lease has a number, its epoch, which is raised when another process takes the run over. A process
 * that was frozen meanwhile finds its epoch outdated in the very transaction that would have written.
 */
import { isGone, type ProcessIdentity } from '@memagent/core/node'
import type { Row } from './database.ts'
import { StoreError } from './errors.ts'

/** The lease of a run that this process writes. */
export interface Lease {
  readonly id: string
  readonly epoch: number
}

/** A process that has not renewed its lease for this long counts as frozen. A process that exited loses its lease at once. */
export const defaultLeaseMs = 60_000

/**
 * Columns that tell whether a run is held; `now_ms` is the store's clock.
 * @param of prefix of the columns in a join: `runs.`
 */
export const leaseColumns = (nowMs: string, of = ''): string =>
  `${of}id, ${of}epoch, ${of}owner, ${of}leased_until_ms, ${nowMs} AS now_ms`

/** Leases that this process could not give back, as on a full disk. Nobody uses them. */
const lost = new Set<string>()

const keyOf = (id: string, epoch: number): string => `${id} ${epoch}`

/** Writes what gives a lease back. If that fails, the lease still no longer counts in this process. */
export async function giveBack<Result>({ id, epoch }: Lease, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    lost.add(keyOf(id, epoch))
    throw error
  }
}

/** The process that holds the run, if any. One that is not known, since the row is damaged, loses its lease like one that is gone. */
export async function holderOf(row: Row): Promise<ProcessIdentity | undefined> {
  if (row.owner === null || Number(row.leased_until_ms) <= Number(row.now_ms)) return undefined
  if (lost.has(keyOf(String(row.id), Number(row.epoch)))) return undefined
  const holder = identityIn(String(row.owner))
  return !holder || (await isGone(holder)) ? undefined : holder
}

function identityIn(owner: string): ProcessIdentity | undefined {
  try {
    return (JSON.parse(owner) as ProcessIdentity | null) ?? undefined
  } catch {
    return undefined
  }
}

export const inUse = (id: string, { pid, host }: ProcessIdentity): StoreError =>
  new StoreError({
    code: 'store/run-in-use',
    message: `The run ${id} is in use by another process (${pid} on ${host}).`,
    hint: 'Wait for it, or stop it and resume the run.',
    details: { id, pid, host },
  })

export const leaseLost = (id: string): StoreError =>
  new StoreError({
    code: 'store/lease-lost',
    message: `This process stood still for so long that another one took the run ${id} over, or the run was removed; nothing more is written.`,
    hint: `See where it is: memagent show ${id}`,
    details: { id },
  })
