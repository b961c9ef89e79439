/** Where in the texts something is, in words. */
import type { Position } from '@memagent/core'
import type { PageRange, Passage } from './run-page.ts'

/** `page 3, line 12`; empty where nothing is known. */
export function positionText({ page, slide, sheet, row, headings, message, line }: Position = {}): string {
  const parts = [
    page && `page ${page}`,
    slide && `slide ${slide}`,
    sheet && `sheet ${sheet}`,
    row && `row ${row}`,
    message && `message ${message}`,
    headings?.length && headings.join(' › '),
    line && `line ${line}`,
  ]
  return parts.filter((part) => typeof part === 'string').join(', ')
}

const bytesText = (startByte: number, endByte: number) =>
  `bytes ${startByte.toLocaleString('en')} to ${endByte.toLocaleString('en')}`

/** `book.pdf, page 3`; bytes where the format says nothing. */
export function passagePlace(
  { file, position, startByte, endByte }: Passage,
  files: readonly string[],
): string {
  return [files[file] ?? '', positionText(position) || bytesText(startByte, endByte)].join(', ')
}

/** `book.pdf, page 3 to page 4`, of a chunk that is one range. */
export function rangePlace(
  { file, from, to, startByte, endByte }: PageRange,
  files: readonly string[],
): string {
  const [first, last] = [positionText(from), positionText(to)]
  const place =
    first === ''
      ? bytesText(startByte, endByte)
      : last === '' || last === first
        ? first
        : `${first} to ${last}`
  return [files[file] ?? '', place].join(', ')
}

/** Of a whole chunk. */
export const chunkPlace = (ranges: readonly PageRange[], files: readonly string[]): string =>
  ranges.map((range) => rangePlace(range, files)).join('; ')
