/** Converts the rows of a store. */
import { createHash } from 'node:crypto'
import { canonicalJson, type RunIdentity } from '@memagent/core'
import type { Row, Value } from './database.ts'
import { StoreError } from './errors.ts'
import { holderOf, leaseColumns } from './lease.ts'
import { damagedRun, parsed, storedCheckpoint } from './parsed.ts'
import { type Fields, isDescription, isFailure } from './run-fields.ts'
import { problemOfResult } from './run-result.ts'
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
  const { summary, damage } = await readSummary(row, store)
  if (damage) throw damage
  return summary
}

/** The summary for a list, which one damaged run must not hide. */
export async function listedOf(row: Row, store: string): Promise<RunSummary> {
  const { summary, damage } = await readSummary(row, store)
  if (!damage) return summary
  const { code, message, hint } = damage
  const state = summary.state === 'running' ? 'running' : 'unfinished'
  return { ...summary, isDamaged: true, state, failure: { code, message, hint } }
}

/** What can be read of a row, and what is damaged in it. */
async function readSummary(
  row: Row,
  store: string,
): Promise<{ readonly summary: RunSummary; readonly damage?: StoreError | undefined }> {
  let damage: StoreError | undefined
  const orElse = <Part>(part: () => Part, unknown: Part): Part => {
    try {
      return part()
    } catch (error) {
      if (!StoreError.isInstance(error)) throw error
      damage ??= error
      return unknown
    }
  }
  const isRunning = (await holderOf(row)) !== undefined
  const summary: RunSummary = {
    ...orElse(() => descriptionOf(String(row.id), row.description, store), {
      document: '',
      model: '',
      workflow: '',
    }),
    id: String(row.id),
    state: isRunning ? 'running' : (String(row.state) as 'unfinished' | 'finished'),
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
    steps: Number(row.steps),
    ...(row.outcome === null ? {} : { outcome: String(row.outcome) as NonNullable<RunSummary['outcome']> }),
    ...orElse(() => failureIn(row, store), {}),
  }
  return { summary, damage }
}

/** @throws StoreError `store/damaged` */
export function descriptionOf(id: string, column: Value | undefined, store: string): RunDescription {
  const description = parsed<RunDescription & Fields>(column, store, id)
  if (!isDescription(description)) throw damagedRun(id, store)
  return description
}

/** @throws StoreError `store/damaged` */
export async function runOf(row: Row, store: string): Promise<StoredRun> {
  const summary = await summaryOf(row, store)
  const { result } = optionalPart('result', row, store)
  if (problemOfResult(result, summary.questions?.length ?? 0) !== undefined)
    throw damagedRun(summary.id, store)
  return {
    ...summary,
    identity: parsed(row.identity, store, summary.id),
    ...checkpointIn(row, store),
    ...(result !== undefined && { result }),
  }
}

const checkpointIn = (row: Row, store: string): Pick<StoredRun, 'checkpoint'> =>
  (row.checkpoint ?? null) === null
    ? {}
    : { checkpoint: storedCheckpoint(row.checkpoint, store, String(row.id)) }

function failureIn(row: Row, store: string): Pick<RunSummary, 'failure'> {
  const found = optionalPart('failure', row, store)
  if (found.failure !== undefined && !isFailure(found.failure)) throw damagedRun(String(row.id), store)
  return found
}

const optionalPart = (
  name: 'failure' | 'result',
  row: Row,
  store: string,
): Pick<StoredRun, 'failure' | 'result'> =>
  (row[name] ?? null) === null ? {} : { [name]: parsed(row[name], store, String(row.id)) }
