/** Where in the texts something was read, in words. */
import type { SourceRange } from '@memagent/core'
import { printable } from '../terminal.ts'
import { count } from './progress.ts'

/** `report.pdf, page 3 to 4, bytes 2,000 to 7,000; notes.txt, from line 1, bytes 0 to 40` */
export const placeText = (ranges: readonly SourceRange[]): string =>
  ranges.map(rangeText).join('; ') || 'nothing was read'

function rangeText({ source, startByte, endByte, marks = [] }: SourceRange): string {
  const [first, last] = [marks[0], marks.at(-1)]
  const from = first && positionText(first.position)
  const to = last && positionText(last.position)
  const place =
    from === undefined || from === '' ? [] : [from === to || to === undefined ? from : `${from} to ${to}`]
  return [printable(source), ...place, `bytes ${count(startByte)} to ${count(endByte)}`].join(', ')
}

type Position = NonNullable<SourceRange['marks']>[number]['position']

function positionText({ page, slide, sheet, row, headings = [], message, line }: Position): string {
  const numbered = { page, slide, message, row, line }
  const parts = Object.entries(numbered).flatMap(([name, number]) =>
    number === undefined ? [] : [`${name} ${number}`],
  )
  const named = [...(sheet === undefined ? [] : [`sheet ${sheet}`]), ...headings]
  return [...named.map(printable), ...parts].join(', ')
}
