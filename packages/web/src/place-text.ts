/** Where in the texts something is, in words. */
import type { PageRange, Passage } from './run-page.ts'

const bytesText = (startByte: number, endByte: number) =>
  `bytes ${startByte.toLocaleString('en')} to ${endByte.toLocaleString('en')}`

/** `book.pdf, page 3`; bytes if the format says nothing. */
export function passagePlace(
  { file, position, startByte, endByte }: Passage,
  files: readonly string[],
): string {
  return [files[file] ?? '', position || bytesText(startByte, endByte)].join(', ')
}

/** `book.pdf, page 3 to page 4`, of a chunk that is one range. */
export function rangePlace(
  { file, from, to, startByte, endByte }: PageRange,
  files: readonly string[],
): string {
  const place = !from ? bytesText(startByte, endByte) : !to || to === from ? from : `${from} to ${to}`
  return [files[file] ?? '', place].join(', ')
}

/** Of a whole chunk. */
export const chunkPlace = (ranges: readonly PageRange[], files: readonly string[]): string =>
  ranges.map((range) => rangePlace(range, files)).join('; ')
