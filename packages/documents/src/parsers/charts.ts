/**
 * Charts of texts and presentations: their titles, and the values that they show as rows. The file has them beside the workbook
 * that they come from.
 */
import type { Blocks } from './blocks.ts'
import { type Parsed, ParseFailure, unread } from './parser.ts'
import { cellText, numberFormat } from './xlsx-numbers.ts'
import { attribute, isOn, wholeNumber, without, type XmlEvent } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

const label = '[chart]'

/** Labels of single points and of axes, errors and trends, and series that are hidden. */
const skipped = new Set(['dLbls', 'dispUnitsLbl', 'errBars', 'trendline', 'extLst'])

/** Parts of a series by the elements that hold their values. */
const parts: Readonly<Record<string, keyof Series>> = {
  tx: 'name',
  cat: 'categories',
  xVal: 'categories',
  val: 'values',
  yVal: 'values',
}

/** Texts by the index of their point. */
type Points = Map<number, string>

/** Each part has one level of points; categories may have further, outer ones, which name a point and those behind it. */
type Series = Record<'name' | 'categories' | 'values', Points[]>

/** Writes a chart of Office, or warns of one that is broken. A missing part is skipped. */
export async function* chartText(
  zip: ZipPackage,
  part: string | undefined,
  blocks: Blocks,
): AsyncIterable<Parsed> {
  if (part === undefined || !zip.has(part)) return
  try {
    const { titles, series } = await readChart(without(skipped, zip.xml(part)))
    for (const text of [label, ...titles]) line(blocks, [text])
    writeSeries(series, blocks)
  } catch (error) {
    if (!(error instanceof ParseFailure) || error.kind !== 'broken') throw error
    yield unread(part)
  }
}

async function readChart(
  events: AsyncIterable<XmlEvent>,
): Promise<{ readonly titles: readonly string[]; readonly series: readonly Series[] }> {
  const titles: string[] = []
  const series: Series[] = []
  let part: Points[] | undefined
  let title: string | undefined
  let [index, format] = [0, '']
  let [isText, isFormat, isNumber, is1904] = [false, false, false, false]
  let value = ''
  for await (const event of events) {
    if (event.kind === 'text') {
      if (isFormat) format += event.text
      else if (isText) value += event.text
      continue
    }
    const { name } = event
    const isOpen = event.kind === 'open'
    if (name === 'date1904' && isOpen) is1904 = isOn(attribute(event, 'val'))
    else if (name === 'title') {
      if (!isOpen) titles.push(title ?? '')
      title = isOpen ? '' : undefined
    } else if (title !== undefined && (name === 'p' || name === 'br')) title += ' '
    else if (name === 'ser' && isOpen) series.push({ name: [], categories: [], values: [] })
    else if (parts[name] && title === undefined) part = isOpen ? series.at(-1)?.[parts[name]] : undefined
    else if (name === 'numCache' || name === 'numLit') [isNumber, format] = [isOpen, '']
    else if (name === 'lvl' && isOpen) part?.unshift(new Map())
    else if (name === 'formatCode') isFormat = isOpen
    else if (name === 'pt' && isOpen) index = wholeNumber(attribute(event, 'idx'), 0)
    else if (name === 'v' || name === 't') {
      isText = isOpen
      if (isOpen) value = ''
      else if (title !== undefined) title += value
      else if (part && value !== '') {
        if (part.length === 0) part.push(new Map())
        part[0]!.set(index, isNumber ? numberText(value, format, is1904) : value)
      }
    }
  }
  return { titles, series }
}

const numberText = (value: string, format: string, is1904: boolean): string =>
  cellText({ type: 'n', value, formula: '', hasValue: true, style: 0 }, numberFormat(format), is1904)

const smallTable = 10_000

/** A table with few values for its size could be far larger than the file. */
function isDense(all: readonly Series[]): boolean {
  const points = all.flatMap(({ values }) => [...(values[0]?.keys() ?? [])])
  return new Set(points).size * all.length <= smallTable + 4 * points.length
}

/** One table if all have the same categories; otherwise one for each. */
function writeSeries(all: readonly Series[], blocks: Blocks): void {
  const keys = all.map(({ categories }) => JSON.stringify(categories.map((level) => [...level])))
  const isShared = keys.every((key) => key === keys[0]) && all[0]?.categories.length !== 0 && isDense(all)
  for (const together of isShared ? [all] : all.map((one) => [one])) {
    if (together.length === 0) continue
    const levels = together[0]!.categories
    const values = together.map((one) => one.values[0] ?? new Map<number, string>())
    line(blocks, ['', ...together.map(({ name }) => [...(name[0]?.values() ?? [])].join(' '))])
    const indices = new Set([...levels, ...values].flatMap((points) => [...points.keys()]))
    const category: string[] = []
    for (const index of [...indices].sort((a, b) => a - b)) {
      let isNamed = false
      for (const [i, level] of levels.entries()) {
        isNamed ||= level.has(index) || i === levels.length - 1
        category[i] = isNamed ? (level.get(index) ?? '') : (category[i] ?? '')
      }
      line(blocks, [category.join(' '), ...values.map((points) => points.get(index) ?? '')])
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
  let paragraphs = 0
  let isMissing = false
  for await (const event of without(unseen, zip.xmlIfAny(part))) {
    const { kind } = event
    const isStart = events.length === 0 && kind === 'open' && event.name === 'chart'
    if (isStart) {
      events.push({ kind: 'open', name: 'p', attributes: {} })
      events.push({ kind: 'text', text: label }, { kind: 'close', name: 'p' })
      continue
    }
    if (kind !== 'text' && event.name === 'p') paragraphs += kind === 'open' ? 1 : -1
    // LibreOffice writes a missing value as NaN.
    if (kind !== 'text' && event.name === 'table-cell') {
      isMissing = kind === 'open' && attribute(event, 'value') === 'NaN'
    }
    const isShown = kind !== 'text' || (paragraphs > 0 && !isMissing)
    if (events.length > 0 && isShown) events.push(event)
  }
  return events
}
