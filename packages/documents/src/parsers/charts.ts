/** Charts of texts and presentations: their titles, and the values that they show as rows, which the file has beside the workbook. */
import type { Blocks } from './blocks.ts'
import { cellText, numberFormat } from './xlsx-numbers.ts'
import { attribute, isOn, without, type XmlEvent } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

const label = '[chart]'

/** Parts of a series by the elements that hold their values. */
const parts: Readonly<Record<string, keyof Series>> = {
  tx: 'name',
  cat: 'categories',
  xVal: 'categories',
  val: 'values',
  yVal: 'values',
}

/** Labels that repeat values, what else newer programs know, and what older ones would show. */
const skipped = new Set(['dLbls', 'extLst', 'Fallback'])

/** Texts by the index of their point. */
type Points = Map<string, string>

/** Each part has one level of points; categories may have further, outer ones, which name a point and those behind it. */
type Series = Record<'name' | 'categories' | 'values', Points[]>

/** Writes a chart of Office. */
export async function readChart(
  events: AsyncIterable<XmlEvent> | Iterable<XmlEvent>,
  blocks: Blocks,
): Promise<void> {
  const all: Series[] = []
  let part: keyof Series | undefined
  let title: string | undefined
  let [index, format] = ['', '']
  let [isText, isFormat, isNumber, is1904] = [false, false, false, false]
  let value = ''
  line(blocks, [label])
  for await (const event of without(skipped, events)) {
    if (event.kind === 'text') {
      if (isFormat) format += event.text
      else if (isText) value += event.text
      continue
    }
    const { name } = event
    const isOpen = event.kind === 'open'
    const series = all.at(-1)
    if (name === 'date1904' && isOpen) is1904 = isOn(attribute(event, 'val'))
    else if (name === 'title') {
      if (!isOpen) line(blocks, [title ?? ''])
      title = isOpen ? '' : undefined
    } else if (name === 'ser' && isOpen) all.push({ name: [], categories: [], values: [] })
    else if (parts[name] && title === undefined) part = isOpen ? parts[name] : undefined
    else if (name === 'numCache') [isNumber, format] = [isOpen, '']
    else if (name === 'lvl' && isOpen && series && part) series[part].unshift(new Map())
    else if (name === 'formatCode') isFormat = isOpen
    else if (name === 'pt' && isOpen) index = attribute(event, 'idx') ?? ''
    else if (name === 'v' || name === 't') {
      isText = isOpen
      if (isOpen) value = ''
      else if (title !== undefined) title += value
      else if (series && part) {
        if (series[part].length === 0) series[part].push(new Map())
        series[part][0]!.set(index, isNumber ? numberText(value, format, is1904) : value)
      }
    }
  }
  writeSeries(all, blocks)
}

const numberText = (value: string, format: string, is1904: boolean): string =>
  cellText({ type: 'n', value, formula: '', hasValue: true, style: 0 }, numberFormat(format), is1904)

/** The texts of all points, outer levels first. */
function pointsOf(levels: readonly Points[]): Points {
  const inner = levels.at(-1) ?? new Map()
  const outer: string[] = []
  return new Map(
    [...inner].map(([index, text]) => {
      for (const [i, level] of levels.slice(0, -1).entries()) outer[i] = level.get(index) ?? outer[i] ?? ''
      return [index, [...outer, text].join(' ')]
    }),
  )
}

/** One table if all have the same categories; otherwise one for each. */
function writeSeries(all: readonly Series[], blocks: Blocks): void {
  const tables = all.map(({ name, categories, values }) => ({
    name: [...pointsOf(name).values()].join(' '),
    categories: pointsOf(categories),
    values: pointsOf(values),
  }))
  const keys = tables.map(({ categories }) => JSON.stringify([...categories]))
  const isShared = keys.every((key) => key === keys[0]) && tables[0]?.categories.size !== 0
  for (const together of isShared ? [tables] : tables.map((table) => [table])) {
    if (together.length === 0) continue
    const { categories, values } = together[0]!
    line(blocks, ['', ...together.map(({ name }) => name)])
    for (const index of (categories.size > 0 ? categories : values).keys()) {
      line(blocks, [categories.get(index) ?? '', ...together.map((table) => table.values.get(index) ?? '')])
    }
  }
}

function line(blocks: Blocks, cells: readonly string[]): void {
  blocks.open('row')
  for (const cell of cells) {
    blocks.open('cell')
    blocks.open('paragraph')
    blocks.text(cell.replaceAll(/\s+/g, ' ').trim())
    blocks.close()
    blocks.close()
  }
  blocks.close()
}

/** In a table of values: the ranges of the workbook. */
const unseen = new Set(['g', 'desc'])

/** The paragraphs and the table of an OpenDocument object that is a chart; of another, nothing. @throws ParseFailure */
export async function chartEvents(zip: ZipPackage, part: string): Promise<readonly XmlEvent[]> {
  const events: XmlEvent[] = []
  for await (const event of without(unseen, zip.xmlIfAny(part))) {
    const isStart = events.length === 0 && event.kind === 'open' && event.name === 'chart'
    if (isStart) {
      events.push({ kind: 'open', name: 'p', attributes: {} })
      events.push({ kind: 'text', text: label }, { kind: 'close', name: 'p' })
    } else if (events.length > 0) events.push(event)
  }
  return events
}
