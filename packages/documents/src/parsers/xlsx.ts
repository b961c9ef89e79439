/** XLSX: each row is a line, its cells as Excel shows dates, percentages and text; comments follow their row. */

import { struckOut } from '../text/struck-elements.ts'
import { Blocks } from './blocks.ts'
import { broken, type Parsed } from './parser.ts'
import { drawnParts } from './pptx.ts'
import { SheetRow } from './sheet-row.ts'
import { type Cell, cellText, numberFormats } from './xlsx-numbers.ts'
import { struckStyles } from './xlsx-struck.ts'
import { attribute, isOn, relationId, wholeNumber, without, type XmlEvent } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

/** Excel's limit. */
const columnLimit = 16_384
const skipped = new Set(['rPh', 'Fallback'])

interface Sheet {
  readonly name: string
  readonly part: string | undefined
}

export async function* xlsxText(zip: ZipPackage, main: string): AsyncIterable<Parsed> {
  const relations = await zip.relations(main)
  const sheets: Sheet[] = []
  let is1904 = false
  for await (const event of zip.xml(main)) {
    if (event.kind !== 'open') continue
    if (event.name === 'workbookPr') is1904 = /^(1|true)$/.test(attribute(event, 'date1904') ?? '')
    if (event.name !== 'sheet') continue
    const part = relations.get(relationId(event) ?? '')?.target
    sheets.push({ name: attribute(event, 'name') ?? '', part })
  }
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target
  const { strings, formatted } = await sharedStrings(zip, partOf('sharedStrings'))
  const formats = await numberFormats(zip, partOf('styles'))
  const struck = await struckStyles(zip, partOf('styles'))
  // Fonts within a text stand in place of its cell's.
  const isStruck = (cell: Cell) =>
    struck.has(cell.style) && !(cell.type === 's' && formatted.has(Number(cell.value)))
  const textOf = (cell: Cell) => (isStruck(cell) ? struckOut(plainText(cell)) : plainText(cell))
  const plainText = (cell: Cell) => {
    // A cell without a value may still have a type.
    if (cell.type === 's' && cell.value !== '') return sharedString(strings, cell.value)
    const text = cellText(cell, formats[cell.style], is1904)
    return cell.type === 'n' ? text : unescaped(text)
  }
  for (const { name, part } of sheets) {
    if (part === undefined || !zip.has(part)) {
      yield { warning: `sheet ${name} is missing` }
      continue
    }
    const comments = await commentsOf(zip, part)
    for await (const { row, cells } of rowsOf(zip.xml(part), (cell) => textOf(cell))) {
      const notes = comments.get(row) ?? ''
      comments.delete(row)
      if (cells !== '' || notes !== '') yield { text: `${cells}\n${notes}`, position: { sheet: name, row } }
    }
    // Rows without cells are not in the file.
    for (const [row, text] of comments) yield { text, position: { sheet: name, row } }
    yield* shapesOf(zip, part, name)
  }
}

interface Row {
  /** From 1. */
  readonly row: number
  readonly cells: string
}

async function* rowsOf(events: AsyncIterable<XmlEvent>, textOf: (cell: Cell) => string): AsyncIterable<Row> {
  let row = 0
  let line = new SheetRow()
  let column = 0
  let cell = { type: 'n', value: '', formula: '', hasValue: false, style: 0 }
  let field: 'value' | 'formula' | undefined
  for await (const event of without(skipped, events)) {
    if (event.kind === 'text') {
      if (field) cell[field] += event.text
      continue
    }
    const { name } = event
    const isOpen = event.kind === 'open'
    if (name === 'row' && isOpen) {
      row = wholeNumber(attribute(event, 'r'), row + 1)
      line = new SheetRow()
      column = 0
    } else if (name === 'row') yield { row, cells: line.text }
    else if (name === 'c' && isOpen) {
      const reference = attribute(event, 'r')
      column = reference === undefined ? column + 1 : columnOf(reference)
      const type = attribute(event, 't') ?? 'n'
      cell = { type, value: '', formula: '', hasValue: false, style: wholeNumber(attribute(event, 's'), 0) }
    } else if (name === 'c') line.add(column, textOf(cell))
    else if (name === 'v' || (name === 't' && cell.type === 'inlineStr')) {
      field = isOpen ? 'value' : undefined
      cell.hasValue = true
    } else if (name === 'f') field = isOpen ? 'formula' : undefined
  }
}

/** `BC12` is 55. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{0,3}/.exec(reference)?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64
  return Math.min(columnLimit, column)
}

interface SharedStrings {
  readonly strings: readonly string[]
  /** Places of those that have fonts of their own. */
  readonly formatted: ReadonlySet<number>
}

async function sharedStrings(zip: ZipPackage, part: string | undefined): Promise<SharedStrings> {
  const strings: string[] = []
  const formatted = new Set<number>()
  let text = ''
  let [isText, isStruck, from] = [false, false, 0]
  for await (const event of without(skipped, zip.xmlIfAny(part))) {
    if (event.kind === 'text') {
      if (isText) text += event.text
    } else if (event.name === 't') {
      isText = event.kind === 'open'
      if (isText) from = text.length
      else if (isStruck) text = text.slice(0, from) + struckOut(text.slice(from))
    } else if (event.name === 'r') isStruck = false
    else if (event.name === 'rPr') formatted.add(strings.length)
    else if (event.name === 'strike' && event.kind === 'open') isStruck = isOn(attribute(event, 'val'))
    else if (event.name === 'si') {
      if (event.kind === 'close') strings.push(unescaped(text))
      text = ''
    }
  }
  return { strings, formatted }
}

/** Characters that XML does not preserve are written as `_x000D_`. */
const unescaped = (text: string) =>
  text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code) => {
    const sign = String.fromCharCode(Number.parseInt(code, 16))
    return sign < ' ' && !/\s/.test(sign) ? '' : sign
  })

function sharedString(strings: readonly string[], index: string): string {
  const text = strings[wholeNumber(index, -1)]
  if (text === undefined) throw broken(`it has no text ${index} for a cell`)
  return text
}

/** The text of shapes, which float above the cells. */
async function* shapesOf(zip: ZipPackage, part: string, sheet: string): AsyncIterable<Parsed> {
  const blocks = new Blocks()
  blocks.moveTo({ sheet })
  const relations = [...(await zip.relations(part)).values()]
  yield* drawnParts(
    zip,
    relations.filter(({ type }) => type === 'drawing'),
    blocks,
  )
}

/** Lines `[comment on B3] text` by row. */
async function commentsOf(zip: ZipPackage, sheet: string): Promise<Map<number, string>> {
  const comments = new Map<number, string>()
  for (const { type, target } of (await zip.relations(sheet)).values()) {
    if (type !== 'comments') continue
    let reference = ''
    let text = ''
    let isText = false
    for await (const event of zip.xmlIfAny(target)) {
      if (event.kind === 'text') {
        if (isText) text += event.text
      } else if (event.name === 't') isText = event.kind === 'open'
      else if (event.name !== 'comment') continue
      else if (event.kind === 'open') {
        reference = attribute(event, 'ref') ?? ''
        text = ''
      } else {
        const row = wholeNumber(/\d+$/.exec(reference)?.[0], 0)
        const line = `[comment on ${reference}] ${unescaped(text).replaceAll(/\s+/g, ' ').trim()}\n`
        comments.set(row, (comments.get(row) ?? '') + line)
      }
    }
  }
  return comments
}
