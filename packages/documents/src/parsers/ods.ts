/** ODS: each row is a line of cells as the program shows them, except dates, as `1923-04-17`; comments follow their row. */
import { struckOut } from '../text/struck-elements.ts'
import type { Parsed } from './parser.ts'
import { SheetRow } from './sheet-row.ts'
import { cellText } from './xlsx-numbers.ts'
import { attribute, wholeNumber, type XmlEvent } from './xml.ts'

/** Equal rows or cells in sequence are stored once, with their number; more than this are a background. */
const repeatedLimit = 1000

/** @param struck names of the styles of cells that are struck out */
export async function* odsText(
  content: AsyncIterable<XmlEvent>,
  struck: ReadonlySet<string> = new Set(),
): AsyncIterable<Parsed> {
  let sheet = ''
  let row = 1
  let rowRepeated = 1
  let columnRepeated = 1
  let cells = new SheetRow()
  let column = 1
  let cell: string[] | undefined
  let date: string | undefined
  let value = ''
  let isStruck = false
  let comments: string[] = []
  let comment: string[] | undefined
  for await (const event of content) {
    if (event.kind === 'text') {
      const paragraphs = comment ?? cell
      if (paragraphs && paragraphs.length > 0) paragraphs[paragraphs.length - 1] += event.text
      continue
    }
    const { name } = event
    const isOpen = event.kind === 'open'
    if (name === 'table' && isOpen) {
      sheet = attribute(event, 'name') ?? ''
      row = 1
    } else if (name === 'table-row' && isOpen) {
      rowRepeated = wholeNumber(attribute(event, 'number-rows-repeated'), 1)
      cells = new SheetRow()
      column = 1
      comments = []
    } else if (name === 'table-row') {
      const line = cells.text
      const notes = comments.map((text) => `[comment] ${text}\n`).join('')
      const isEmpty = line === '' && notes === ''
      if (!isEmpty && rowRepeated > repeatedLimit) {
        yield { warning: `row ${row} of sheet ${sheet} is there ${rowRepeated} times, and shown once` }
      }
      const times = isEmpty ? 0 : rowRepeated > repeatedLimit ? 1 : rowRepeated
      for (let i = 0; i < times; i++) yield { text: `${line}\n${notes}`, position: { sheet, row: row + i } }
      row += rowRepeated
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      if (isOpen) {
        columnRepeated = wholeNumber(attribute(event, 'number-columns-repeated'), 1)
        cell = []
        isStruck = struck.has(attribute(event, 'style-name') ?? '')
        date = attribute(event, 'date-value')
        value = name === 'table-cell' ? valueIn(event) : ''
      } else if (cell) {
        const shown =
          date?.replace('T', ' ').replace(/\.\d+$/, '') ?? (cell.length > 0 ? joined(cell) : value)
        const text = isStruck ? struckOut(shown) : shown
        const times = text === '' ? 0 : Math.min(columnRepeated, repeatedLimit)
        for (let i = 0; i < times; i++) cells.add(column + i, text)
        column += columnRepeated
        cell = undefined
      }
    } else if (name === 'shapes') {
      if (isOpen) cell = []
      else if (cell) {
        const text = joined(cell)
        cell = undefined
        if (text !== '') yield { text: `${text}\n`, position: { sheet } }
      }
    } else if (name === 'annotation') {
      if (isOpen) comment = []
      else if (comment) {
        comments.push(joined(comment))
        comment = undefined
      }
    } else if (name === 'p' && isOpen) (comment ?? cell)?.push('')
  }
}

/** The value of a cell that some programs store without its text. */
function valueIn(cell: XmlEvent): string {
  const number = attribute(cell, 'value') ?? ''
  const isPercent = attribute(cell, 'value-type') === 'percentage'
  if (number !== '')
    return cellText(
      { type: 'n', value: number, formula: '', hasValue: true, style: 0 },
      { format: isPercent ? 'percent' : 'number' },
    )
  const time = attribute(cell, 'time-value')
  return (
    time?.replace(/^PT(\d+)H(\d+)M([\d.]+)S$/, '$1:$2:$3') ??
    attribute(cell, 'boolean-value')?.toUpperCase() ??
    attribute(cell, 'string-value') ??
    ''
  )
}

const joined = (paragraphs: readonly string[]) => paragraphs.join(' ').replaceAll(/\s+/g, ' ').trim()
