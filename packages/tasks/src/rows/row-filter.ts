/** Selects rows of a file: those whose columns have a value, one of several, or one in a range. */
import { TaskError } from '@memagent/core'
import { z } from 'zod'
import { noColumn, type RowFile } from './row-file.ts'

const value = z.union([z.string(), z.number(), z.boolean()])

/** Ends of a range are included; one of them may be left out. */
const range = z
  .strictObject({ min: z.number().optional(), max: z.number().optional() })
  .refine(({ min, max }) => min !== undefined || max !== undefined)
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max)

/** By column; a row must match every one. */
export const rowFilter = z.record(
  z.string(),
  z
    .union([value, z.array(value).min(1).readonly(), range])
    .meta({ takes: 'a value, a list of values, or { min, max } with at least one of them' }),
)
export type RowFilter = z.input<typeof rowFilter>

/**
 * Numbers of the matching rows, ascending.
 * @throws TaskError for unknown columns, and if no row matches
 */
export async function selectRows(file: RowFile, filter: RowFilter = {}): Promise<Int32Array> {
  const conditions = Object.entries(filter).map(([column, wanted]) => ({
    column,
    suits: conditionOf(wanted),
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
  const columns = conditions.map(({ column }) => column)
  for await (const { place, fields } of file.scan(columns)) {
    const values = fields()
    const missing = columns.filter((column) => !Object.hasOwn(values, column))
    if (missing.length > 0) throw noColumn(place, missing, Object.keys(values))
    if (conditions.every(({ column, suits }) => suits(values[column]))) {
      rows.push(row)
    }
    row += 1
  }
  return checkAny(file, Int32Array.from(rows), filter)
}

function conditionOf(wanted: RowFilter[string]): (value: unknown) => boolean {
  if (typeof wanted !== 'object') return (value) => value === wanted
  if (isList(wanted)) return (value) => wanted.some((one) => one === value)
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = wanted
  return (value) => typeof value === 'number' && value >= min && value <= max
}

const isList = (wanted: object): wanted is readonly unknown[] => Array.isArray(wanted)

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
