/** Sentences of any text with their places: a table row is one, and none is longer than a paragraph. */

import { months } from './words/numbers.ts'

export interface Span {
  /** In code units, without surrounding white space. */
  readonly start: number
  readonly end: number
}

/** Characters after which a sentence is cut at a space. */
const longest = 700
const ends = /(?<=[.!?…]["'”’)\]]*)\s+|(?<=[。！？]["”」』）]*)|\n+/gu
const abbreviation =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|No|Nr|vs|etc|e\.g|i\.e|approx|ca|Inc|Ltd|Co|\p{Lu})\.$/u

/** In order, without overlap. */
export function sentencesOf(text: string): readonly Span[] {
  const spans: Span[] = []
  let start = 0
  const add = (end: number) => {
    for (let from = start; from < end; ) {
      const to = end - from > longest ? cutBefore(text, from + longest, from) : end
      const span = trimmed(text, from, to)
      if (span) spans.push(span)
      from = to
    }
    start = end
  }
  for (const { index, 0: gap } of text.matchAll(ends)) {
    const isLine = gap.includes('\n')
    if (!isLine && isDay(text, start, index, gap.length)) continue
    if (!isLine && abbreviation.test(text.slice(Math.max(start, index - 8), index))) continue
    add(index)
  }
  add(text.length)
  return spans
}

/** "3. Juni" */
function isDay(text: string, start: number, end: number, gap: number): boolean {
  if (!/(?:^|\s)\d{1,2}\.$/.test(text.slice(Math.max(start, end - 4), end))) return false
  const next = /^\p{L}+/u.exec(text.slice(end + gap, end + gap + 12))?.[0]
  return next !== undefined && months.has(next.toLowerCase())
}

function cutBefore(text: string, at: number, from: number): number {
  // Looks no further back than the line: a text without spaces would take time with the square of its length.
  const space = from + text.slice(from, at + 1).lastIndexOf(' ')
  if (space > from) return space
  // Never inside a surrogate pair.
  return /[\udc00-\udfff]/.test(text[at]!) ? at + 1 : at
}

function trimmed(text: string, from: number, to: number): Span | undefined {
  let [start, end] = [from, to]
  while (start < end && /\s/.test(text[start]!)) start++
  while (end > start && /\s/.test(text[end - 1]!)) end--
  return start < end ? { start, end } : undefined
}
