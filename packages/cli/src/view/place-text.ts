/** Describes where in the texts something is. Names and headings come from documents, and are made safe for a terminal. */
import { positionText as ofPosition, type Position, type SourceQuote, type SourceRange } from '@memagent/core'
import { printable } from '../terminal.ts'
import { count } from './progress.ts'

/** `report.pdf, page 3 to page 4, bytes 2,000 to 7,000; notes.txt, line 1, bytes 0 to 40` */
export const rangesText = (ranges: readonly SourceRange[]): string =>
  ranges.map(rangeText).join('; ') || 'nothing was read'

function rangeText({ source, startByte, endByte, marks = [] }: SourceRange): string {
  const [from, to] = [marks[0], marks.at(-1)].map((mark) => mark && positionText(mark.position))
  const place = !from ? [] : [from === to || !to ? from : `${from} to ${to}`]
  return [printable(source), ...place, `bytes ${count(startByte)} to ${count(endByte)}`].join(', ')
}

/** `book.pdf, page 3, line 12` */
export function quotePlace({ file, position = {}, startByte, endByte }: SourceQuote): string {
  return `${printable(file)}, ${positionText(position) || `bytes ${startByte} to ${endByte}`}`
}

/** `page 3, Methods > Wells, line 12`; empty if nothing is known. */
export const positionText = (position: Position): string => printable(ofPosition(position))
