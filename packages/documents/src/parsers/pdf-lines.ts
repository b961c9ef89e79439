/** Assembles lines and paragraphs of a PDF page from pieces of text that only know their place. */
import { raisedBehind } from '../text/raised.ts'
import { fromLeft, fromRight, isMostlyRtl, isRtlPage, type PlacedText, rtlText } from './pdf-bidi.ts'

export interface TextItem {
  readonly str: string
  /** `rtl`: written from right to left. */
  readonly dir: string
  /** Its last two numbers are x and y of the left end; y grows upwards. */
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly hasEOL: boolean
}

const softHyphen = '\u00ad'

interface Line {
  readonly text: string
  /** Where it begins and ends, in reading direction. */
  readonly begin: number
  readonly end: number
  readonly y: number
  readonly height: number
  /** Wide spaces between words: a row of a table. */
  readonly hasGaps: boolean
  readonly isRtl: boolean
}

/** In characters: shorter lines are headings, items and addresses rather than wrapped prose. */
const proseLine = 40
/** Distances, in multiples of the text height. */
const sameParagraph = 1.7
const sameEdge = 1.5
const wideSpace = 2
const overprint = 0.15
/** More pieces than a line has. */
const comparedItems = 200
/** Maximum height and minimum rise of a superscript, in multiples of the height of the text that it follows. */
const raisedHeight = 0.9
const raisedBy = 0.15
/** The start of a list item. */
const item = /^(?:[\u2022\u25aa\u25cf\u2023\u00b7*\u2013-]|\(?(?:\d{1,3}|[a-z])[.)])\s/i

/**
 * Lines in file order. A full line of prose is joined with the next line of its paragraph, unless it ends with a hyphen, which
 * may or may not belong to the word. A wide space becomes a tab, as between table cells.
 */
export function pageText(items: readonly TextItem[]): string {
  const lines = linesOf(items)
  const edge = (isRtl: boolean) =>
    lines.filter((line) => line.isRtl === isRtl).reduce((most, line) => Math.max(most, line.end), -Infinity)
  const edges = { ltr: edge(false), rtl: edge(true) }
  let text = ''
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    if (before) text += between(before, line, line.isRtl ? edges.rtl : edges.ltr)
    // A soft hyphen is never part of the word.
    if (text.endsWith(softHyphen)) text = text.slice(0, -1)
    text += line.text
  }
  return text
}

function linesOf(items: readonly TextItem[]): readonly Line[] {
  const lines: TextItem[][] = [[]]
  for (const item of items) {
    const line = lines.at(-1)!
    if (item.str !== '' && !line.slice(-comparedItems).some((other) => isOverprint(item, other)))
      line.push(item)
    if (item.hasEOL) lines.push([])
  }
  // One direction for the whole page keeps table columns in place.
  const isRtl = isRtlPage(lines)
  return lines.map((line) => lineOf(line, isRtl)).filter(({ text }) => text.trim() !== '')
}

/** The same text almost at the same place, which makes it bold or gives it a shadow. */
function isOverprint(item: TextItem, other: TextItem): boolean {
  if (item.str !== other.str || item.str.trim() === '') return false
  const [one, two] = [placeOf(item), placeOf(other)]
  const near = overprint * Math.max(item.height, 1)
  return Math.abs(one.x - two.x) < Math.min(near, item.width / 2) && Math.abs(one.y - two.y) < near
}

function lineOf(items: readonly TextItem[], onRtlPage: boolean): Line {
  // From left to right, whatever their order in the file.
  const ordered = onRtlPage ? items.toSorted((one, other) => placeOf(one).x - placeOf(other).x) : items
  const parts: PlacedText[] = []
  const { x: left, y } = placeOf(ordered[0])
  let [right, height, hasGaps] = [left, ordered[0]?.height ?? 0, false]
  for (const item of ordered) {
    const { str, width } = item
    const { x, y: itemY } = placeOf(item)
    const isBlank = str.trim() === ''
    const isWide = (isBlank ? width : x - right) > wideSpace * Math.max(height, 1)
    hasGaps ||= isWide
    if (isWide && parts.length > 0) {
      while (parts.at(-1)?.text.trim() === '') parts.pop()
      const last = parts.pop()
      if (last) parts.push({ ...last, text: last.text.trimEnd() })
      parts.push({ text: '\t', isRtl: false, x })
    }
    const isRaised = item.height < raisedHeight * height && itemY - y > raisedBy * height
    const isRtl = item.dir === 'rtl'
    const text = isRtl ? rtlText(str) : str
    if (isRaised && parts.length > 0) {
      const before = parts.slice(-2).map((part) => part.text)
      parts.push({ text: raisedBehind(before.join(''), text), isRtl, x })
    } else if (!isWide || !isBlank) parts.push({ text, isRtl, x })
    right = Math.max(right, x + width)
    height = Math.max(height, item.height)
  }
  const isRtl = onRtlPage && isMostlyRtl(items.map((item) => item.str).join(''))
  const text = onRtlPage ? fromRight(parts) : fromLeft(parts)
  const [begin, end] = isRtl ? [-right, -left] : [left, right]
  return { text: text.trimEnd(), begin, end, y, height, hasGaps, isRtl }
}

const placeOf = (item: TextItem | undefined) => {
  const [x = 0, y = 0] = item?.transform.slice(4) ?? []
  return { x, y }
}

function between(before: Line, line: Line, edge: number): string {
  const height = Math.max(before.height, 1)
  const distance = before.y - line.y
  if (distance < 0 || distance > sameParagraph * height) return '\n\n'
  if (before.text.endsWith(softHyphen)) return ''
  // The next word would not have fit.
  const letter = (before.end - before.begin) / before.text.length
  const isFull = before.end + letter * (1 + (/^\S*/.exec(line.text)?.[0].length ?? 0)) > edge
  const isProse = before.text.length >= proseLine && !before.hasGaps && !line.hasGaps && !item.test(line.text)
  const isSameText =
    before.isRtl === line.isRtl &&
    Math.abs(before.begin - line.begin) < sameEdge * height &&
    Math.abs(before.height - line.height) < 0.2 * height
  return isFull && isProse && isSameText && !before.text.endsWith('-') ? ' ' : '\n'
}
