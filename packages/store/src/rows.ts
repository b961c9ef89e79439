/** Converts the rows of a store. */
import { createHash } from 'node:crypto'
import { canonicalJson, type RunIdentity } from '@memagent/core'
import type { Row } from './database.ts'
import { StoreError } from './errors.ts'
import { holderOf, leaseColumns } from './lease.ts'
import { damagedRun, parsed } from './parsed.ts'
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

/** @throws StoreError `store/damaged` */
export async function summaryOf(row: Row, store: string): Promise<RunSummary> {
  const id = String(row.id)
  const description = parsed<RunDescription>(row.description, store, id)
  const { document, model } = description
  if (typeof document !== 'string' || typeof model !== 'string') throw damagedRun(id, store)
  const isRunning = (await holderOf(row)) !== undefined
  return {
    ...description,
    id,
    state: isRunning ? 'running' : (String(row.state) as 'unfinished' | 'finished'),
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
    steps: Number(row.steps),
    ...(row.outcome === null ? {} : { outcome: String(row.outcome) as NonNullable<RunSummary['outcome']> }),
    ...optionalPart('failure', row, store),
  }
}

/** The summary for a list, which one damaged run must not hide. */
export async function listedOf(row: Row, store: string): Promise<RunSummary> {
  try {
    return await summaryOf(row, store)
  } catch (error) {
    if (!StoreError.isInstance(error)) throw error
    const { code, message, hint } = error
    return {
      id: String(row.id),
      isDamaged: true,
      state: 'unfinished',
      failure: { code, message, hint },
      document: '',
      model: '',
      workflow: '',
      steps: Number(row.steps),
      createdMs: Number(row.created_ms),
      updatedMs: Number(row.updated_ms),
    }
  }
}

export const runOf = async (row: Row, store: string): Promise<StoredRun> => ({
  ...(await summaryOf(row, store)),
  identity: parsed(row.identity, store, String(row.id)),
  ...optionalPart('checkpoint', row, store),
  ...optionalPart('result', row, store),
})

const optionalPart = (name: string, row: Row, store: string) =>
  (row[name] ?? null) === null ? {} : { [name]: parsed(row[name], store, String(row.id)) }
