/** Converts the rows of a store. */
import { createHash } from 'node:crypto'
import { canonicalJson, type RunIdentity } from '@memagent/core'
import type { Row, Value } from './database.ts'
import { holderOf, leaseColumns } from './lease.ts'
import { parsed } from './parsed.ts'
import type { RunDescription, RunSummary, StoredRun } from './run-store.ts'

/**
 * The same for readings that are the same run. The answer budget is left out: it does not affect notes that have no answer
 * yet, as in every checkpoint.
 */
export function runKey({ answerBudget: _, ...identity }: RunIdentity): string {
  return createHash('sha256').update(canonicalJson(identity)).digest('hex')
}

/** @param of prefix of the columns in a join: `runs.` */
export const summaryColumns = (nowMs: string, of = ''): string => {
  const columns = ['state', 'created_ms', 'updated_ms', 'steps', 'outcome', 'failure', 'description']
  return [leaseColumns(nowMs, of), ...columns.map((column) => of + column)].join(', ')
}

export const runColumns = (nowMs: string): string =>
  `${summaryColumns(nowMs)}, sequence, run_key, identity, checkpoint, result`

export async function summaryOf(row: Row, store: string): Promise<RunSummary> {
  const isRunning = (await holderOf(row, store)) !== undefined
  return {
    ...parsed<RunDescription>(row.description, store),
    id: String(row.id),
    state: isRunning ? 'running' : (String(row.state) as 'unfinished' | 'finished'),
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
    steps: Number(row.steps),
    ...(row.outcome === null ? {} : { outcome: String(row.outcome) as NonNullable<RunSummary['outcome']> }),
    ...optionalPart('failure', row.failure, store),
  }
}

export const runOf = async (row: Row, store: string): Promise<StoredRun> => ({
  ...(await summaryOf(row, store)),
  identity: parsed(row.identity, store),
  ...optionalPart('checkpoint', row.checkpoint, store),
  ...optionalPart('result', row.result, store),
})

const optionalPart = (name: string, value: Value | undefined, store: string) =>
  value === null || value === undefined ? {} : { [name]: parsed(value, store) }
