/**
 * Letter-spaced text of a PDF page: pdf.js takes the gaps between its letters for spaces ("A n n H a l e"), and no longer tells them
 * from those between words. Most programs draw a space as a glyph of its own, so the glyphs of the page say which are real.
 */
import { isMostlyRtl } from './pdf-bidi.ts'
import type { TextItem } from './pdf-lines.ts'

/** The most letters between two spaces, on average: "Ve" may stay together. */
const mostLetters = 1.5
const leastPieces = 3

/** With fewer spaces than one in this many letters, the program draws none: TeX moves on instead. */
const mostLettersPerSpace = 20
/** Pieces of at least this many letters are looked for further on, as far as this, past glyphs that pdf.js leaves out. */
const sureLetters = 8
const furthest = 2000
/** The widest gap inside a word, in multiples of the text height. Columns are further apart. */
const widestGap = 1

/** Stands for the end of a text object in `glyphs`: letters on both sides of it, such as cells of a table, are apart. */
export const textEnd = '\n'

/** Whether the glyphs of the page are worth looking at. */
export const mayBeLetterSpaced = (items: readonly TextItem[]): boolean =>
  items.some(({ str }) => isSpaced(str, leastPieces))

function isSpaced(text: string, least: number): boolean {
  const pieces = text.trim().split(/\s+/)
  return pieces.length >= least && lettersOf(text).length <= mostLetters * pieces.length
}

/**
 * The same items without the spaces that no glyph draws, in pieces of letter-spaced text.
 * @param glyphs the text of all glyphs of the page, in the same order, with `textEnd` after each text object
 */
export function withoutLetterSpacing(items: readonly TextItem[], glyphs: string): readonly TextItem[] {
  const drawn = drawnLetters(glyphs)
  if (drawn.spaces * mostLettersPerSpace < drawn.letters.length) return items
  const result: TextItem[] = []
  let run: PlacedItem[] = []
  const endRun = () => {
    result.push(...(isText(run) ? closedUp(run, drawn.starts) : itemsOf(run)))
    run = []
  }
  let at = 0
  for (const item of items) {
    const letters = lettersOf(item.str)
    const place = letters === '' ? at : placeOf(item, letters, drawn.letters, at)
    if (place >= 0) at = place + letters.length
    const isOfRun = place >= 0 && !isMostlyRtl(item.str) && isSpaced(item.str, 1)
    if (isOfRun) run.push({ item, place })
    else {
      endRun()
      result.push(item)
    }
  }
  endRun()
  return result
}

interface PlacedItem {
  readonly item: TextItem
  /** The index of its first letter among those of the page; -1 if it was not found. */
  readonly place: number
}

interface DrawnLetters {
  /** Without white space. */
  readonly letters: string
  /** Indices of letters that follow a space, or the end of a text object. */
  readonly starts: ReadonlySet<number>
  readonly spaces: number
}

function drawnLetters(glyphs: string): DrawnLetters {
  const starts = new Set<number>()
  let letters = ''
  for (const word of glyphs.split(/\s+/)) {
    starts.add(letters.length)
    letters += lettersOf(word)
  }
  const spaces = glyphs.match(/[^\S\n]+/g)?.length ?? 0
  return { letters, starts, spaces }
}

/** In the forms to compare: pdf.js resolves ligatures and the like. */
const lettersOf = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '')

/** Glyphs come from left to right, whatever is read from the right. @returns -1 if its letters are not there */
function placeOf(item: TextItem, letters: string, drawn: string, from: number): number {
  const place = placeIn(drawn, letters, from)
  return place < 0 && isMostlyRtl(item.str) ? placeIn(drawn, [...letters].reverse().join(''), from) : place
}

/** @returns -1 if they are not there */
function placeIn(drawn: string, letters: string, from: number): number {
  if (drawn.startsWith(letters, from)) return from
  if (letters.length < sureLetters) return -1
  const after = drawn.slice(from, from + furthest).indexOf(letters)
  return after < 0 ? -1 : from + after
}

const itemsOf = (run: readonly PlacedItem[]): readonly TextItem[] => run.map(({ item }) => item)

const shownLetters = (run: readonly PlacedItem[]): string =>
  run.map(({ item }) => item.str.replaceAll(/\s/g, '')).join('')

/** Digits alone may be a row of a narrow table: closing them up would make a number that nobody wrote. */
function isText(run: readonly PlacedItem[]): boolean {
  const all = shownLetters(run)
  return (
    run.some(({ item }) => isSpaced(item.str, leastPieces)) &&
    2 * (all.match(/\p{L}/gu)?.length ?? 0) >= all.length
  )
}

function closedUp(run: readonly PlacedItem[], starts: ReadonlySet<number>): readonly TextItem[] {
  const lines: PlacedItem[][] = [[]]
  for (const placed of run) {
    lines.at(-1)!.push(placed)
    if (placed.item.hasEOL) lines.push([])
  }
  const bare = new Set(lines.filter((line) => isBare(line, starts)))
  // Some programs draw the cells of a table in one text object, without spaces.
  const isWord = (line: readonly PlacedItem[]) =>
    /^[\p{L}\p{M}\p{P}]+$/u.test(shownLetters(line)) && (bare.size === 1 || isWholeObject(line, starts))
  const height = run[0]!.item.height
  return lines.flatMap((line) =>
    bare.has(line) && !isWord(line) ? itemsOf(line) : closedLine(line, starts, height),
  )
}

/** Indices of the first letter, and behind the last. */
const rangeOf = (line: readonly PlacedItem[]): readonly [begin: number, end: number] => {
  const last = line.at(-1)
  return [line[0]?.place ?? 0, last ? last.place + lettersOf(last.item.str).length : 0]
}

/** Whether no space is drawn in a line of several letters: it is one word, or a row of cells. */
function isBare(line: readonly PlacedItem[], starts: ReadonlySet<number>): boolean {
  const [begin, end] = rangeOf(line)
  for (let at = begin + 1; at < end; at++) if (starts.has(at)) return false
  return end - begin > 1
}

function isWholeObject(line: readonly PlacedItem[], starts: ReadonlySet<number>): boolean {
  return rangeOf(line).every((at) => starts.has(at))
}

function closedLine(
  line: readonly PlacedItem[],
  starts: ReadonlySet<number>,
  height: number,
): readonly TextItem[] {
  return line.flatMap(({ item, place }) => {
    // The place of a gap is that of the letter behind it.
    if (item.str.trim() === '') {
      const isInWord =
        !item.hasEOL && item.str !== '' && !starts.has(place) && item.width <= widestGap * height
      return isInWord ? [] : [item]
    }
    let at = place
    const str = item.str.replaceAll(/(\S+)(\s+)(?=\S)/g, (both, piece) => {
      at += lettersOf(piece).length
      return starts.has(at) ? both : piece
    })
    return [{ ...item, str }]
  })
}
