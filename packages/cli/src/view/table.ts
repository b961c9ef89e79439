/** Text in columns. */
import { textWidth } from './text-width.ts'

/** The first column is aligned left, the others right. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  const lines = rows.map((cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
  )
  return `${lines.join('\n')}\n`
}

/** Every column is aligned left; characters may be wide. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => textWidth(cells[column]!))))
  const padded = (cell: string, i: number) => cell + ' '.repeat(widths[i]! - textWidth(cell))
  return rows.map((cells) => `${cells.map(padded).join('  ').trimEnd()}\n`).join('')
}
