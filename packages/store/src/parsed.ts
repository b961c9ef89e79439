import type { Value } from './database.ts'
import { StoreError } from './errors.ts'

/** Parses a JSON column. @param run to which it belongs @throws StoreError if it is damaged */
export function parsed<Type>(value: Value | undefined, store: string, run?: string): Type {
  try {
    return JSON.parse(String(value)) as Type
  } catch (cause) {
    throw run === undefined ? damagedRow(store, cause) : damagedRun(run, store, cause)
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
