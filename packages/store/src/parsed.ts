import { type Checkpoint, CheckpointError, checkedCheckpoint } from '@memagent/core'
import type { Value } from './database.ts'
import { StoreError } from './errors.ts'

/** Parses a JSON column: an object or a list. @param run to which it belongs @throws StoreError if it is damaged */
export function parsed<Type>(value: Value | undefined, store: string, run?: string): Type {
  const damaged = (cause?: unknown) =>
    run === undefined ? damagedRow(store, cause) : damagedRun(run, store, cause)
  let found: unknown
  try {
    found = JSON.parse(String(value))
  } catch (cause) {
    throw damaged(cause)
  }
  if (!(found instanceof Object)) throw damaged()
  return found as Type
}

/** @throws StoreError if it is no checkpoint; CheckpointError if it is one of another version */
export function storedCheckpoint(value: Value | undefined, store: string, run: string): Checkpoint {
  const fields = parsed(value, store, run)
  try {
    return checkedCheckpoint(fields, `of run ${run}`)
  } catch (error) {
    if (CheckpointError.isInstance(error) && error.code === 'checkpoint/damaged')
      throw damagedRun(run, store, error)
    throw error
  }
}

export const damagedRun = (id: string, store: string, cause?: unknown): StoreError =>
  new StoreError({
    code: 'store/damaged',
    message: `The run ${id} is damaged: its row in the store is not what was written.`,
    hint: `It has not been changed. Erase it: memagent runs rm ${id}`,
    details: { id, store },
    cause,
  })

export const damagedRow = (store: string, cause?: unknown): StoreError =>
  new StoreError({
    code: 'store/damaged',
    message: `The store ${store} is damaged: a row in it is not what was written.`,
    hint: 'It has not been changed. Name another store with --store PATH.',
    cause,
  })
