/** What a file of rows is, whatever its format, and the errors that all of them throw. */
import { TaskError } from '@memagent/core'

/** Values by field, or column: texts, numbers, booleans, null, and lists and objects of them. */
export type Row = Readonly<Record<string, unknown>>

export interface RowFile {
  readonly path: string
  readonly count: number
  /** File and row for messages: `data.jsonl, line 12`; from 1. */
  placeOf(row: number): string
  /** @throws TaskError naming file and row: for rows that cannot be read or are no objects */
  read(row: number): Promise<Row>
  /**
   * Some columns of every row, from the first to the last; Parquet reads no others.
   * @throws TaskError as `read` does, and for columns that the file does not have
   */
  scan(columns: readonly string[]): AsyncIterable<Row>
}

/** @throws TaskError naming file and row unless the value is an object */
export function checkRow(place: string, value: unknown): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRow(place, 'it is no JSON object')
  }
  return value as Row
}

/** @param place as `placeOf` gives it */
export const badRow = (place: string, problem: string, cause?: unknown): TaskError =>
  new TaskError({ code: 'task/bad-row', message: `${place}: ${problem}`, cause, details: { place } })

export const noColumn = (place: string, missing: readonly string[], known: readonly string[]): TaskError =>
  new TaskError({
    code: 'task/no-column',
    message: `${place} has no ${missing.join(', ')}`,
    hint: `It has ${known.join(', ')}.`,
    details: { place, missing, known },
  })
