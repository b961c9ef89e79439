/** Rows as CSV (RFC 4180). */
import { plainText } from '../plain-text.ts'

/** Undefined and NaN are empty fields. */
export type Field = string | number | boolean | undefined

/** All rows must have the same fields. Empty without rows. */
export function csv(rows: readonly Readonly<Record<string, Field>>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names.map(quote), ...rows.map((row) => names.map((name) => field(row[name])))]
  return rows.length === 0 ? '' : `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

const field = (value: Field): string =>
  value === undefined || Number.isNaN(value) ? '' : typeof value === 'string' ? quote(value) : String(value)

/** Spreadsheets run text that starts like a formula, some also with full-width signs; such text gets a leading apostrophe. */
function quote(text: string): string {
  const line = plainText(text)
  const safe = /^[=+\-@＝＋－＠]/.test(line) ? `'${line}` : line
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
