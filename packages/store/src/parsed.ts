import type { Value } from './database.ts'
import { StoreError } from './errors.ts'

/** Parses a JSON column. @throws StoreError if it is damaged */
export function parsed<Type>(value: Value | undefined, store: string): Type {
  try {
    return JSON.parse(String(value)) as Type
  } catch (cause) {
    throw damagedRow(store, cause)
  }
}

export const damagedRow = (store: string, cause?: unknown): StoreError =>
  new StoreError({
    code: 'store/damaged',
    message: `The store ${store} is damaged: a row in it is not what was written.`,
    hint: 'It has not been changed. Name another store with --store PATH.',
    cause,
  })
