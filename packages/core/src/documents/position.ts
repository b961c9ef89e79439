/** Positions in a document in terms that people use: page 12, row 340, the heading "Methods". Types, and how to find one. */

/** Numbers count from 1. A format provides what it knows. */
export interface Position {
  readonly page?: number | undefined
  readonly slide?: number | undefined
  /** Name of a sheet of a workbook. */
  readonly sheet?: string | undefined
  readonly row?: number | undefined
  /** Outermost first. */
  readonly headings?: readonly string[] | undefined
  /** Number of a message in a mailbox. */
  readonly message?: number | undefined
  readonly line?: number | undefined
}

/** A position that holds from this byte of a source to the next mark; `line` is the byte's, and grows with every line break. */
export interface PositionMark {
  readonly byte: number
  readonly position: Position
}

/**
 * The position of a byte in a range.
 * @param range a chunk's `SourceRange`
 * @param text the text of the range, for counting lines
 * @param byte an offset in the source, from `startByte` to `endByte`
 * @returns undefined when the source has no positions
 */
export function positionAt(
  {
    marks = [],
    startByte,
  }: { readonly startByte: number; readonly marks?: readonly PositionMark[] | undefined },
  text: string,
  byte: number,
): Position | undefined {
  const mark = marks.findLast((one) => one.byte <= byte)
  if (mark === undefined || mark.position.line === undefined) return mark?.position
  const from = indexOfByte(text, mark.byte - startByte, 0)
  return afterText(mark.position, text.slice(from, indexOfByte(text, byte - mark.byte, from)))
}

/** The position after a text that begins at `position`. */
export function afterText(position: Position, text: string): Position {
  if (position.line === undefined) return position
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++
  return breaks === 0 ? position : { ...position, line: position.line + breaks }
}

/** Index of the character that many UTF-8 bytes after `from`. */
function indexOfByte(text: string, bytes: number, from: number): number {
  let index = from
  for (let rest = bytes; rest > 0 && index < text.length; ) {
    const code = text.codePointAt(index)!
    rest -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    index += code < 0x10000 ? 1 : 2
  }
  return index
}

/**
 * `page 3, Methods > Wells, line 12`; empty if nothing is known. Names and headings are as in the document.
 * @param below separates a heading from the one below it
 */
export function positionText(
  { page, slide, sheet, row, headings, message, line }: Position,
  below = ' > ',
): string {
  const parts = [
    page && `page ${page}`,
    slide && `slide ${slide}`,
    sheet && `sheet ${sheet}`,
    row && `row ${row}`,
    message && `message ${message}`,
    headings?.length && headings.join(below),
    line && `line ${line}`,
  ]
  return parts.filter((part) => typeof part === 'string').join(', ')
}
