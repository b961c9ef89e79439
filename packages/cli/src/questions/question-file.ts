/** Questions from a file: one a line, JSON lines, or CSV. */
import { readFile } from 'node:fs/promises'
import { whyUnreadable } from '@memagent/core/node'
import { CsvError, parse } from 'csv-parse/sync'
import { UsageError } from '../failures.ts'
import type { Terminal } from '../terminal.ts'

export interface AskedQuestion {
  /** Given in the file, otherwise its number, from 1. */
  readonly id: string
  readonly text: string
  /** In the file, from 1. */
  readonly line: number
}

type Row = Omit<AskedQuestion, 'id'> & { readonly id?: string | undefined }

/** @throws UsageError naming the file and the line */
export async function readQuestionFile(
  path: string,
  { stdin }: Pick<Terminal, 'stdin'>,
): Promise<readonly AskedQuestion[]> {
  const name = path === '-' ? 'standard input' : path
  const text = decoded(await bytesOf(path, stdin), name)
  const rows = rowsOf(text, formatOf(path, text), name)
  if (rows.length === 0) {
    throw new UsageError({
      code: 'cli/no-questions',
      message: `There is no question in ${name}.`,
      hint: forms,
    })
  }
  return named(rows, name)
}

const forms =
  'Write one question a line; or JSON lines (.jsonl) such as {"id": "a", "question": "Who?"}; or CSV (.csv) with a column question, and id if you like.'

async function bytesOf(path: string, stdin: Terminal['stdin']): Promise<Uint8Array> {
  if (path !== '-') {
    return readFile(path).catch((cause: unknown) => {
      const message = `Cannot read ${path}: ${whyUnreadable(cause)}.`
      throw new UsageError({ code: 'cli/unreadable-questions', message, cause })
    })
  }
  if (stdin.isTTY) {
    const message = 'Standard input (-) is a terminal, not a list of questions.'
    throw new UsageError({ code: 'cli/no-questions', message, hint: forms })
  }
  const pieces: Uint8Array[] = []
  for await (const piece of stdin) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** UTF-8, or UTF-16 with a byte order mark, which spreadsheets write. */
function decoded(bytes: Uint8Array, name: string): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Reported below.
  }
  throw new UsageError({
    code: 'cli/unreadable-questions',
    message: `${name} is no text in UTF-8.`,
    hint: 'Save it as UTF-8.',
  })
}

type Format = 'text' | 'jsonl' | 'csv' | 'tsv'

/** The separator of a header line with a column for questions; undefined if it is not one. */
function separatorOf(heading: string): ',' | ';' | '\t' | undefined {
  return ([',', ';', '\t'] as const).find((separator) => {
    const names = heading.split(separator).map((name) => /^\s*(?:"([^"]*)"|([\w .-]*))\s*$/.exec(name))
    return (
      names.every((name) => name) && names.some((name) => /^question$/i.test(name![1] ?? name![2]!.trim()))
    )
  })
}

/** Chosen by the file name, otherwise by how the text begins. */
function formatOf(path: string, text: string): Format {
  const [, ending = ''] = /\.(\w+)$/.exec(path.toLowerCase()) ?? []
  if (ending === 'csv' || ending === 'tsv') return ending
  if (ending === 'jsonl' || ending === 'ndjson') return 'jsonl'
  if (ending === 'json') throw isJson(path)
  if (text.trimStart().startsWith('{')) return 'jsonl'
  if (ending === 'txt') return 'text'
  if (/^\s*\[\s*[{"]/.test(text)) throw isJson(path)
  const separator = separatorOf(text.split(/\r\n|\r|\n/, 1)[0]!)
  return separator === undefined ? 'text' : separator === '\t' ? 'tsv' : 'csv'
}

const isJson = (path: string) =>
  new UsageError({
    code: 'cli/bad-questions',
    message: `${path === '-' ? 'Standard input' : path} is JSON, and questions are read from JSON lines.`,
    hint: 'Write one object a line, in a file that ends in .jsonl.',
  })

function rowsOf(text: string, format: Format, name: string): readonly Row[] {
  if (format === 'tsv') return csvRows(text, '\t', name)
  // Spreadsheets use semicolons where the comma is the decimal separator.
  if (format === 'csv') return csvRows(text, /^[^,\n]*;/.test(text) ? ';' : ',', name)
  const lines = text.split(/\r\n|\r|\n/).map((line, i) => ({ text: line.trim(), line: i + 1 }))
  const written = lines.filter((line) => line.text !== '')
  return format === 'text' ? written : written.map((line) => jsonRow(line, name))
}

function jsonRow({ text, line }: Row, name: string): Row {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badRow(name, line, 'it is not JSON')
  }
  if (typeof value === 'string') return checked({ text: value, line }, name)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRow(name, line, 'it is neither an object nor a text')
  }
  const { question, id } = value as { readonly question?: unknown; readonly id?: unknown }
  if (typeof question !== 'string') throw badRow(name, line, 'it has no text as "question"')
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') {
    throw badRow(name, line, 'its "id" is neither a text nor a number')
  }
  return checked({ text: question, line, id: id === undefined ? undefined : String(id) }, name)
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>
  readonly info: { readonly lines: number }
}

function csvRows(text: string, delimiter: string, name: string): readonly Row[] {
  let columns: readonly string[] = []
  let records: readonly CsvRecord[]
  try {
    // With two-character line breaks, lines within quotes would count twice.
    records = parse(text.replaceAll('\r\n', '\n'), {
      delimiter,
      bom: true,
      info: true,
      skip_empty_lines: true,
      columns: (header: readonly string[]) => {
        columns = header.map((column) => column.trim().toLowerCase())
        return [...columns]
      },
    }) as unknown as readonly CsvRecord[]
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    const message = `${name} is no CSV: ${cause.message.replace(/\.$/, '')}.`
    throw new UsageError({ code: 'cli/bad-questions', message, cause })
  }
  if (columns.length > 0 && !columns.includes('question')) {
    throw badRow(name, 1, `no column is called question (its columns: ${columns.join(', ')})`)
  }
  return records.map(({ record, info: { lines } }) =>
    checked({ text: record.question ?? '', line: lines, id: record.id || undefined }, name),
  )
}

function checked(row: Row, name: string): Row {
  if (row.text.trim() === '') throw badRow(name, row.line, 'its question is empty')
  return { ...row, text: row.text.trim() }
}

/** Ids tell results apart, so no two questions may share one. */
function named(rows: readonly Row[], name: string): readonly AskedQuestion[] {
  const lines = new Map<string, number>()
  return rows.map(({ id: given, ...row }, i) => {
    const id = given ?? String(i + 1)
    const before = lines.get(id)
    if (before !== undefined) throw badRow(name, row.line, `its id ${id} is that of line ${before}`)
    lines.set(id, row.line)
    return { id, ...row }
  })
}

const badRow = (name: string, line: number, problem: string) =>
  new UsageError({
    code: 'cli/bad-questions',
    message: `Line ${line} of ${name} cannot be asked: ${problem}.`,
    hint: forms,
    details: { line },
  })
