/** Table rows in plain text, as values next to the names of their columns. */
import type { Span } from './sentences.ts'
import type { Token } from './token.ts'
import { tokensOf } from './tokens.ts'

export interface Row {
  readonly tokens: readonly Token[]
  /** The line of column names. */
  readonly header: string
}

interface Cell {
  readonly start: number
  readonly end: number
}

const delimiters = ['|', '\t', ';', ','] as const
const fewestCells = 3

/** Tokens of lines that are rows of a table with a header, by the line's index among the sentences. */
export function rowsIn(text: string, sentences: readonly Span[]): ReadonlyMap<number, Row> {
  const rows = new Map<number, Row>()
  let header:
    | { readonly line: string; readonly names: readonly (readonly Token[])[]; readonly delimiter: string }
    | undefined
  for (const [at, { start, end }] of sentences.entries()) {
    const line = text.slice(start, end)
    if (/^[|\s:+=-]+$/.test(line) && header) continue
    const own = header && cellsOf(line, header.delimiter)
    if (own && own.length === header!.names.length)
      rows.set(at, { tokens: rowTokens(line, start, own, header!.names), header: header!.line })
    else header = headerOf(line)
  }
  return rows
}

function headerOf(
  line: string,
): { line: string; names: (readonly Token[])[]; delimiter: string } | undefined {
  for (const delimiter of delimiters) {
    const cells = cellsOf(line, delimiter)
    if (cells.length < fewestCells) continue
    const names = cells.map(({ start, end }) => line.slice(start, end))
    const isName = (name: string) =>
      /^\p{L}[\p{L}\d _()/.€$%-]{0,30}$/u.test(name) && name.split(/\s/).length <= 4
    if (names.every(isName)) return { line, names: names.map(nameTokens), delimiter }
  }
  return undefined
}

/** Reads "monthly_fee_eur" as three words. */
const nameTokens = (name: string): readonly Token[] =>
  tokensOf(
    name
      .replaceAll(/[_-]/g, ' ')
      .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .toLowerCase(),
  ).filter(({ kind }) => kind === 'word' || kind === 'function')

/** A comma followed by a space belongs to a sentence. */
function cellsOf(line: string, delimiter: string): Cell[] {
  const cells: Cell[] = []
  if (delimiter === ',' && /,\s/.test(line)) return []
  const isPipe = delimiter === '|'
  const from = isPipe ? /^\s*\|?/.exec(line)![0].length : 0
  const to = isPipe && line.endsWith('|') ? line.length - 1 : line.length
  for (let start = from; start <= to; ) {
    const found = line.indexOf(delimiter, start)
    const end = found < 0 || found > to ? to : found
    const cell = line.slice(start, end)
    const lead = cell.length - cell.trimStart().length
    cells.push({ start: start + lead, end: start + lead + cell.trim().length })
    start = end + 1
  }
  return cells
}

function rowTokens(
  line: string,
  offset: number,
  cells: readonly Cell[],
  names: readonly (readonly Token[])[],
): Token[] {
  return cells.flatMap(({ start, end }, i) => {
    const place = { start: offset + start, end: offset + start, isHeader: true, gap: ' ', isFirst: false }
    const values = tokensOf(line.slice(start, end)).map((token) => ({
      ...token,
      start: token.start + offset + start,
      end: token.end + offset + start,
      isFirst: false,
      gap: token.start === 0 ? ' ' : token.gap,
      // A value in a cell is a name if it is capitalized.
      kind: token.kind === 'word' && token.isCapital ? ('name' as const) : token.kind,
    }))
    return [...names[i]!.map((token) => ({ ...token, ...place })), ...values]
  })
}
