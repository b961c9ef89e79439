/** Which rows of a file are taken: those whose columns have a value, one of several, or one in a range. */
import { TaskError } from '@memagent/core'
import type { RowFile } from './row-file.ts'

type Value = string | number | boolean

/** Ends of a range are included; one of them may be left out. */
export interface ValueRange {
  readonly min?: number
  readonly max?: number
}

/** By column; a row has to suit every one. */
export type RowFilter = Readonly<Record<string, Value | readonly Value[] | ValueRange>>

/**
 * Numbers of the suitable rows, ascending.
 * @throws TaskError for conditions that are none, columns that are not there, and when no row is left
 */
export async function selectRows(file: RowFile, filter: RowFilter = {}): Promise<Int32Array> {
  const conditions = Object.entries(filter).map(([column, wanted]) => ({
    column,
    suits: conditionOf(column, wanted),
  }))
  if (conditions.length === 0) {
    return checkAny(
      file,
      Int32Array.from({ length: file.count }, (_, row) => row),
      filter,
    )
  }
  const rows: number[] = []
  let row = 0
  for await (const values of file.scan(conditions.map(({ column }) => column))) {
    if (conditions.every(({ column, suits }) => suits(values[column]))) {
      rows.push(row)
    }
    row += 1
  }
  return checkAny(file, Int32Array.from(rows), filter)
}

function conditionOf(column: string, wanted: RowFilter[string]): (value: unknown) => boolean {
  if (isValue(wanted)) {
    return (value) => value === wanted
  }
  if (Array.isArray(wanted) && wanted.length > 0 && wanted.every(isValue)) {
    return (value) => wanted.some((one) => one === value)
  }
  const {
    min = Number.NEGATIVE_INFINITY,
    max = Number.POSITIVE_INFINITY,
    ...rest
  } = (wanted ?? {}) as ValueRange
  if (
    Object.keys(rest).length > 0 ||
    typeof min !== 'number' ||
    typeof max !== 'number' ||
    !(min <= max) ||
    (min === Number.NEGATIVE_INFINITY && max === Number.POSITIVE_INFINITY)
  ) {
    throw new TaskError({
      code: 'task/bad-filter',
      message: `${column} cannot be selected by ${JSON.stringify(wanted) ?? 'nothing'}`,
      hint: 'Give a value, a list of values, or { min, max } with at least one of them.',
    })
  }
  return (value) => typeof value === 'number' && value >= min && value <= max
}

const isValue = (wanted: unknown): wanted is Value =>
  typeof wanted === 'string' || typeof wanted === 'number' || typeof wanted === 'boolean'

function checkAny(file: RowFile, rows: Int32Array, filter: RowFilter): Int32Array {
  if (rows.length === 0) {
    throw new TaskError({
      code: 'task/no-rows',
      message:
        file.count === 0
          ? `${file.path} has no rows`
          : `none of the ${file.count} rows of ${file.path} is as wanted: ${JSON.stringify(filter)}`,
      details: { path: file.path, rows: file.count },
    })
  }
  return rows
}
