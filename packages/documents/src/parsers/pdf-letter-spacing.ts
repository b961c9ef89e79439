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
    result.push(...(isText(run) ? closedUp(run, drawn.starts) : run.map(({ item }) => item)))
    run = []
  }
  let at = 0
  for (const item of items) {
    const letters = lettersOf(item.str)
    const place = letters === '' ? at : placeIn(drawn.letters, letters, at)
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

/** @returns -1 if they are not there */
function placeIn(drawn: string, letters: string, from: number): number {
  if (drawn.startsWith(letters, from)) return from
  if (letters.length < sureLetters) return -1
  const after = drawn.slice(from, from + furthest).indexOf(letters)
  return after < 0 ? -1 : from + after
}

/** Digits alone may be a row of a narrow table: closing them up would make a number that nobody wrote. */
function isText(run: readonly PlacedItem[]): boolean {
  const all = run.map(({ item }) => item.str.replaceAll(/\s/g, '')).join('')
  return (
    run.some(({ item }) => isSpaced(item.str, leastPieces)) &&
    2 * (all.match(/\p{L}/gu)?.length ?? 0) >= all.length
  )
}

function closedUp(run: readonly PlacedItem[], starts: ReadonlySet<number>): readonly TextItem[] {
  return run.flatMap(({ item, place }) => {
    // The place of a gap is that of the letter behind it.
    if (item.str.trim() === '') {
      const isInWord =
        !item.hasEOL && item.str !== '' && !starts.has(place) && item.width <= widestGap * run[0]!.item.height
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
