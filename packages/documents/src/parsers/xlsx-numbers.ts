/** How Excel shows the number of a cell: a workbook keeps dates as days since 1900 and 12 % as 0.12. */
import { attribute, wholeNumber } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

export interface Cell {
  /** `t` of the file: `s` shared text, `str` and `inlineStr` text, `b` truth, `e` error, otherwise a number. */
  readonly type: string
  readonly value: string
  readonly formula: string
  /** Index of its format. */
  readonly style: number
}

type Format = 'number' | 'percent' | 'date' | 'time' | 'date and time'

const builtIn: Readonly<Record<number, Format>> = {
  9: 'percent',
  10: 'percent',
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'date and time',
  45: 'time',
  46: 'time',
  47: 'time',
}

/** The format of each style of cells. @param part the part with the styles, if there is one */
export async function numberFormats(zip: ZipPackage, part: string | undefined): Promise<readonly Format[]> {
  const own = new Map<number, Format>()
  const formats: Format[] = []
  if (part === undefined || !zip.has(part)) return formats
  let isCellStyle = false
  for await (const event of zip.xml(part)) {
    if (event.kind === 'text') continue
    if (event.name === 'cellXfs') isCellStyle = event.kind === 'open'
    if (event.kind !== 'open') continue
    const id = wholeNumber(attribute(event, 'numFmtId'), 0)
    if (event.name === 'numFmt') own.set(id, formatOf(attribute(event, 'formatCode') ?? ''))
    else if (event.name === 'xf' && isCellStyle) formats.push(own.get(id) ?? builtIn[id] ?? 'number')
  }
  return formats
}

/** From a code such as `"on" d mmmm yyyy;@`. */
export function formatOf(code: string): Format {
  // Quoted text, escaped characters, colours and locales are not part of it; `[h]` is.
  const bare = code
    .toLowerCase()
    .replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/g, '')
    .replaceAll('general', '')
  const hasDate = /[dy]/.test(bare) || /^[^hs]*m[^hs]*$/.test(bare)
  const hasTime = /[hs]/.test(bare)
  if (hasDate) return hasTime ? 'date and time' : 'date'
  if (hasTime) return 'time'
  return bare.includes('%') ? 'percent' : 'number'
}

/** What a cell shows, other than shared text. A formula that was never computed is shown itself. */
export function cellText({ type, value, formula }: Cell, format: Format = 'number', is1904 = false): string {
  if (value === '') return formula === '' ? '' : `=${formula}`
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (format === 'percent') return `${rounded(number * 100)}%`
  if (format === 'number') return rounded(number)
  return moment(number, format, is1904) ?? rounded(number)
}

/** Excel computes with 15 digits: 0.30000000000000004 is a file's way to write 0.3. */
const rounded = (number: number) => String(Number(number.toPrecision(15)))

/** ISO 8601; undefined for what Excel cannot show as a date either. */
function moment(serial: number, format: Format, is1904: boolean): string | undefined {
  const seconds = Math.round(serial * 86_400)
  if (format === 'time') {
    const part = (size: number) => String(Math.floor(seconds / size) % 60).padStart(2, '0')
    if (seconds < 0) return undefined
    return `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${part(60)}:${part(1)}`
  }
  // Excel believes in 29 February 1900, so that days before March 1900 are one off.
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 61 ? 31 : 30)
  const date = new Date(first + seconds * 1000)
  if (serial < 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined
  const iso = date.toISOString()
  return format === 'date' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}
