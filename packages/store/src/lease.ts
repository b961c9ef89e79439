/**
 * Who writes a run. A lease has a number, its epoch: whoever takes the run over raises it, and a process that was frozen
 * meanwhile finds that its own is not valid any more, in the same transaction in which it would have written.
 */
import { isGone, type ProcessIdentity } from '@memagent/core/node'
import type { Row } from './database.ts'
import { StoreError } from './errors.ts'
import { parsed } from './parsed.ts'

/** Of a run that this process writes. */
export interface Lease {
  readonly id: string
  readonly epoch: number
}

/** A process that does not renew its lease for so long counts as frozen. One that is gone loses it at once. */
export const defaultLeaseMs = 60_000

/**
 * Columns of a run that tell whether it is held; `now_ms` is the store's clock.
 * @param of what the columns are of, where several tables are joined: `runs.`
 */
export const leaseColumns = (nowMs: string, of = ''): string =>
  `${of}id, ${of}epoch, ${of}owner, ${of}leased_until_ms, ${nowMs} AS now_ms`

/** The process that holds the run, if any. */
export async function holderOf(row: Row, store: string): Promise<ProcessIdentity | undefined> {
  if (row.owner === null || Number(row.leased_until_ms) <= Number(row.now_ms)) return undefined
  const holder = parsed<ProcessIdentity>(row.owner, store)
  return (await isGone(holder)) ? undefined : holder
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
