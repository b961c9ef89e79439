/** The blocks that reports are made of, in any format. All strings are text, not markup. */
import type { Plot } from './plots/plot.ts'

export type Block = Heading | Paragraph | List | Table | Figure

export interface Heading {
  readonly type: 'heading'
  readonly level: 1 | 2 | 3
  readonly text: string
}

export interface Paragraph {
  readonly type: 'paragraph'
  readonly text: string
  /** `warning`: must not be missed. @default 'plain' */
  readonly tone?: 'plain' | 'warning'
}

export interface List {
  readonly type: 'list'
  readonly items: readonly string[]
}

export interface Column {
  readonly title: string
  /** Numbers are aligned right. @default 'text' */
  readonly kind?: 'text' | 'number'
}

/** A string, or a value with smaller additions such as its interval. */
export type TableCell = string | { readonly value: string; readonly notes: readonly string[] }

export interface TableRow {
  /** Rows of one group appear together under its name; in a table either all rows have a group or none. */
  readonly group?: string
  readonly cells: readonly TableCell[]
}

export interface Table {
  readonly type: 'table'
  readonly caption: string
  /** What the groups are. */
  readonly groupTitle?: string
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[]
}

/** Plots that belong together, each small enough for a narrow window. */
export interface Figure {
  readonly type: 'figure'
  readonly caption: string
  readonly plots: readonly Plot[]
}

/** @param texts titles of the first columns @param numbers titles of the others */
export const columnsOf = (texts: string | readonly string[], numbers: readonly string[] = []): Column[] => [
  ...[texts].flat().map((title) => ({ title })),
  ...numbers.map((title) => ({ title, kind: 'number' as const })),
]

/** A table, unless it has no rows. */
export const tableOf = (table: Omit<Table, 'type'>): Block[] =>
  table.rows.length === 0 ? [] : [{ type: 'table', ...table }]

/** A figure, unless it has no plots. */
export const figureOf = (caption: string, plots: readonly Plot[]): Block[] =>
  plots.length === 0 ? [] : [{ type: 'figure', caption, plots }]

/** What must not be missed. */
export const warning = (text: string): Block => ({ type: 'paragraph', tone: 'warning', text })
