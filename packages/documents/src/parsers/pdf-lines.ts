/** Lines and paragraphs of a PDF page, from pieces of text that know only where they stand. */
import { raisedBehind } from '../text/raised.ts'

export interface TextItem {
  readonly str: string
  /** Its last two numbers are x and y of the left end; y grows upwards. */
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly hasEOL: boolean
}

const softHyphen = '\u00ad'

interface Line {
  text: string
  readonly left: number
  right: number
  readonly y: number
  height: number
  /** Wide spaces between words: a row of a table. */
  hasGaps: boolean
}

/** Shorter lines are headings, items and addresses rather than wrapped prose, in characters. */
const proseLine = 40
/** Distances of lines, in heights of the text. */
const sameParagraph = 1.7
const sameEdge = 1.5
const wideSpace = 2
/** Most and least that a superscript is as high as, and is raised by, in heights of the text that it follows. */
const raisedHeight = 0.9
const raisedBy = 0.15
/** Begins an item of a list. */
const item = /^(?:[\u2022\u25aa\u25cf\u2023\u00b7*\u2013-]|\(?(?:\d{1,3}|[a-z])[.)])\s/i

/**
 * Lines in the order of the file. A line of prose that is full is joined with the next one of its paragraph; one that
 * ends with a hyphen is not, for nobody knows whether the hyphen belongs to the word. A wide space is a tab, as between
 * the cells of a table.
 */
export function pageText(items: readonly TextItem[]): string {
  const lines = linesOf(items)
  const right = lines.reduce((most, line) => Math.max(most, line.right), 0)
  let text = ''
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    if (before) text += between(before, line, right)
    // A soft hyphen says itself that it is none of the word's.
    if (text.endsWith(softHyphen)) text = text.slice(0, -1)
    text += line.text
  }
  return text
}

function linesOf(items: readonly TextItem[]): readonly Line[] {
  const lines: Line[] = []
  let line: Line | undefined
  for (const { str, transform, width, height, hasEOL } of items) {
    const [x = 0, y = 0] = transform.slice(4)
    if (str !== '') {
      line ??= { text: '', left: x, right: x, y, height, hasGaps: false }
      const isBlank = str.trim() === ''
      const isWide = (isBlank ? width : x - line.right) > wideSpace * Math.max(line.height, 1)
      line.hasGaps ||= isWide
      if (isWide && line.text !== '') line.text = `${line.text.trimEnd()}\t`
      const isRaised = height < raisedHeight * line.height && y - line.y > raisedBy * line.height
      if (!isWide || !isBlank) line.text += isRaised ? raisedBehind(line.text, str) : str
      line.right = Math.max(line.right, x + width)
      line.height = Math.max(line.height, height)
    }
    if (!hasEOL || !line) continue
    lines.push(line)
    line = undefined
  }
  if (line) lines.push(line)
  return lines.map((one) => ({ ...one, text: one.text.trimEnd() })).filter(({ text }) => text.trim() !== '')
}

function between(before: Line, line: Line, right: number): string {
  const height = Math.max(before.height, 1)
  const distance = before.y - line.y
  if (distance < 0 || distance > sameParagraph * height) return '\n\n'
  if (before.text.endsWith(softHyphen)) return ''
  // The next word would not have fitted.
  const letter = (before.right - before.left) / before.text.length
  const isFull = before.right + letter * (1 + (/^\S*/.exec(line.text)?.[0].length ?? 0)) > right
  const isProse = before.text.length >= proseLine && !before.hasGaps && !line.hasGaps && !item.test(line.text)
  const isSameText =
    Math.abs(before.left - line.left) < sameEdge * height &&
    Math.abs(before.height - line.height) < 0.2 * height
  return isFull && isProse && isSameText && !before.text.endsWith('-') ? ' ' : '\n'
}
