/** Fields of a row, with errors that name file, row and field. */
import { kindOf } from '../custom/jsonl-lines.ts'
import { badRow, type Row } from '../rows/row-file.ts'
import type { Sample } from '../task.ts'

export interface RowFields {
  /** File and row, for messages. */
  readonly place: string
  /** A text with something in it. */
  text(field: string): string
  /** A list of at least one text, each with something in it. */
  texts(field: string): readonly string[]
  /** @throws TaskError always */
  fail(problem: string, cause?: unknown): never
}

/** Labels from fields of a row, by the names of the labels; without those that are not there or are no label. */
export const labelsOf = (row: Row, fields: Readonly<Record<string, string>>): Sample['labels'] =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([label, field]) => {
      const value = row[field]
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[label, value]]
        : []
    }),
  )

/** @param place file and row, for messages */
export function rowFields(place: string, row: Row): RowFields {
  const fail = (problem: string, cause?: unknown): never => {
    throw badRow(place, problem, cause)
  }
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
  const wrong = (field: string, wanted: string): never =>
    row[field] === undefined
      ? fail(`"${field}" is missing; it has ${Object.keys(row).join(', ') || 'no fields'}`)
      : fail(`"${field}" must be ${wanted}, not ${kindOf(row[field])}`)
  return {
    place,
    fail,
    text(field) {
      const value = row[field]
      return isText(value) ? value : wrong(field, 'a text with something in it')
    },
    texts(field) {
      const value = row[field]
      return Array.isArray(value) && value.length > 0 && value.every(isText)
        ? value
        : wrong(field, 'a list of texts with something in them')
    },
  }
}
