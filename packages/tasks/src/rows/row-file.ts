/** A file of rows in any format, and the errors common to all formats. */
import { TaskError } from '@memagent/core'
import { checkSettings } from '@memagent/core/settings'
import { z } from 'zod'

/** Values by field, or column: texts, numbers, booleans, null, and lists and objects of them. */
export type Row = Readonly<Record<string, unknown>>

/** A row found while scanning a file. */
export interface FoundRow {
  /** Number of the line, item or row in its file, from 1. */
  readonly number: number
  /** File and number for messages: `data.jsonl, line 12`. */
  readonly place: string
  /** @throws TaskError naming the place, for rows that cannot be read or are not objects */
  fields(): Row
}

export interface RowFile {
  readonly path: string
  readonly count: number
  /** The file that holds a row counted from 0, its number and its place there. */
  fileOf(row: number): string
  numberOf(row: number): number
  placeOf(row: number): string
  /** @throws TaskError as `fields` does */
  read(row: number): Promise<Row>
  /** Every row, in order. @param columns to read; Parquet reads no others. @default all */
  scan(columns?: readonly string[]): AsyncIterable<FoundRow>
}

/** @param place as given by `placeOf` */
export const badRow = (place: string, problem: string, cause?: unknown, hint?: string): TaskError =>
  new TaskError({ code: 'task/bad-row', message: `${place}: ${problem}`, hint, cause, details: { place } })

export const noColumn = (place: string, missing: readonly string[], known: readonly string[]): TaskError =>
  new TaskError({
    code: 'task/no-column',
    message: `${place} has no ${missing.join(', ')}`,
    hint: `It has ${known.join(', ')}.`,
    details: { place, missing, known },
  })

export const cannotRead = (path: string, problem: string, cause?: unknown): TaskError =>
  new TaskError({
    code: 'task/unreadable-file',
    message: `cannot read ${path}: ${problem}`,
    hint: 'Give the path of a JSONL, JSON or Parquet file.',
    cause,
    details: { path },
  })

/** A non-empty text. */
export const text = z
  .string()
  .refine((value) => value.trim() !== '')
  .meta({ takes: 'a text that is not empty' })

/** A list of one or more non-empty texts. */
export const texts = z.array(text).min(1).meta({ takes: 'a list of texts that are not empty' })

/** Checks fields with a schema. @throws TaskError naming file, row and field, and what the field takes */
export function checkFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
  place: string,
  hint?: string,
): z.output<Schema> {
  const { settings, problems } = checkSettings(schema, fields)
  if (problems === undefined) return settings
  throw badRow(place, problems.map(({ message }) => message).join('; '), undefined, hint)
}

const shownProblems = 5

/**
 * Applies a check to every row.
 * @param check throws what `badRow` gives
 * @throws TaskError that lists the first invalid rows and counts the others
 */
export async function checkEveryRow<T>(
  path: string,
  rows: AsyncIterable<FoundRow>,
  { code, hint }: { readonly code: string; readonly hint: string },
  check: (row: FoundRow) => T | Promise<T>,
): Promise<T[]> {
  const checked: T[] = []
  const problems: string[] = []
  for await (const row of rows) {
    try {
      checked.push(await check(row))
    } catch (error) {
      if (!(error instanceof TaskError) || error.code !== 'task/bad-row') throw error
      problems.push(error.message.replace(`${path}, `, ''))
    }
  }
  if (problems.length > 0) {
    const more = problems.length > shownProblems ? `; and ${problems.length - shownProblems} more` : ''
    const message = `${path}: ${problems.slice(0, shownProblems).join('; ')}${more}`
    throw new TaskError({ code, message, hint, details: { path, problems } })
  }
  return checked
}
