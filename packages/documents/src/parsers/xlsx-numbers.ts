/** How Excel shows the number in a cell: a workbook stores dates as days since 1900, and 12 % as 0.12. */
import { type Units, unitsOf, withUnits } from './xlsx-units.ts'
import { attribute, wholeNumber } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

export interface Cell {
  /** `t` in the file: `s` shared text, `str` and `inlineStr` text, `b` boolean, `e` error, otherwise a number. */
  readonly type: string
  readonly value: string
  readonly formula: string
  /** The file has a value, which may be empty. */
  readonly hasValue: boolean
  /** Index of its format. */
  readonly style: number
}

/** `digits 00000-0000`: padded with zeros, with characters in between, as in postal codes. */
type Format = 'number' | 'percent' | 'date' | 'time' | 'date and time' | 'duration' | `digits ${string}`

/** 27 to 36 and 50 to 58 are East Asian: dates, except for some that are times in Chinese only. */
const builtIn: Readonly<Record<number, Format>> = {
  ...numbered('percent', 9, 10),
  ...numbered('date', 14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58),
  ...numbered('time', 18, 19, 20, 21, 32, 33, 45, 47),
  ...numbered('date and time', 22),
  ...numbered('duration', 46),
}

function numbered(format: Format, ...ids: readonly number[]): Readonly<Record<number, Format>> {
  return Object.fromEntries(ids.map((id) => [id, format]))
}

export interface NumberFormat {
  readonly format: Format
  /** Only for numbers. */
  readonly units?: Units | undefined
}

/** The format of each cell style. @param part the part with the styles, if any */
export async function numberFormats(
  zip: ZipPackage,
  part: string | undefined,
): Promise<readonly NumberFormat[]> {
  const own = new Map<number, NumberFormat>()
  const formats: NumberFormat[] = []
  let isCellStyle = false
  for await (const event of zip.xmlIfAny(part)) {
    if (event.kind === 'text') continue
    if (event.name === 'cellXfs') isCellStyle = event.kind === 'open'
    if (event.kind !== 'open') continue
    const id = wholeNumber(attribute(event, 'numFmtId'), 0)
    if (event.name === 'numFmt') own.set(id, numberFormat(attribute(event, 'formatCode') ?? ''))
    else if (event.name === 'xf' && isCellStyle)
      formats.push(own.get(id) ?? { format: builtIn[id] ?? 'number' })
  }
  return formats
}

/** Of a format code. */
export function numberFormat(code: string): NumberFormat {
  const format = formatOf(code)
  return { format, units: format === 'number' ? unitsOf(code) : undefined }
}

/** Parses a code such as `"on" d mmmm yyyy;@`. */
export function formatOf(code: string): Format {
  // Drops quoted text, escaped characters, colours and locales, but not `[h]`.
  const bare = code
    .toLowerCase()
    .replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/g, '')
    .replaceAll('general', '')
  const hasDate = /[dy]/.test(bare) || /^[^hs]*m[^hs]*$/.test(bare)
  const hasTime = /[hs]/.test(bare)
  if (hasDate) return hasTime ? 'date and time' : 'date'
  if (hasTime) return /\[[hms]/.test(bare) ? 'duration' : 'time'
  const signs = digitsOf(code)
  if (signs !== undefined) return `digits ${signs}`
  return bare.includes('%') ? 'percent' : 'number'
}

/** For a code with nothing but digits and what separates them: `00000-0000`. */
function digitsOf(code: string): string | undefined {
  const [first = ''] = code.split(';')
  const signs = first
    .replaceAll(/"([^"]*)"/g, (_, quoted: string) => (/^[-() ]*$/.test(quoted) ? quoted : ''))
    .replaceAll(/\\([-() ])/g, '$1')
    .replaceAll(/_.|\*.|\[[^\]]*\]/g, '')
    .trim()
  return /^[-() ]*0[-() 0]*0[-() ]*$/.test(signs) ? signs : undefined
}

/** What a cell shows, unless it is shared text. A formula that was never computed is shown itself. */
export function cellText(
  { type, value, formula, hasValue }: Cell,
  { format, units }: NumberFormat = { format: 'number' },
  is1904 = false,
): string {
  // A computed text may be empty.
  if (value === '') return formula === '' || (type === 'str' && hasValue) ? '' : `=${formula}`
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (format === 'percent') return `${rounded(number * 100)}%`
  if (format === 'number') return units ? withUnits(rounded(number), number, units) : rounded(number)
  if (format.startsWith('digits ')) {
    const isPlain = number >= 0 && number <= Number.MAX_SAFE_INTEGER
    return isPlain ? inDigits(number, format.slice(7)) : rounded(number)
  }
  return moment(number, format, is1904) ?? rounded(number)
}

/** Excel computes with 15 digits: files may have 0.30000000000000004 for 0.3. */
const rounded = (number: number) => String(Number(number.toPrecision(15)))

/** Surplus digits come before the first place. */
function inDigits(number: number, signs: string): string {
  const places = signs.replaceAll(/[^0]/g, '').length
  const digits = String(Math.round(number)).padStart(places, '0')
  let place = 0
  return signs.replaceAll('0', () => {
    const at = digits.length - places + place++
    return digits.slice(place === 1 ? 0 : at, at + 1)
  })
}

/** ISO 8601; undefined for what Excel cannot show as a date either. */
function moment(serial: number, format: Format, is1904: boolean): string | undefined {
  const seconds = Math.round(serial * 86_400)
  if (format === 'time' || format === 'duration') {
    const hours = Math.floor(seconds / 3600)
    const part = (size: number) => String(Math.floor(seconds / size) % 60).padStart(2, '0')
    if (seconds < 0) return undefined
    return `${String(format === 'time' ? hours % 24 : hours).padStart(2, '0')}:${part(60)}:${part(1)}`
  }
  // Excel believes in 29 February 1900, so days before March 1900 are off by one.
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 61 ? 31 : 30)
  const date = new Date(first + seconds * 1000)
  if (serial < 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined
  const iso = date.toISOString()
  return format === 'date' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}
