/** A chunk's text by source, so that quotes from it have their own bytes and position there. */
import type { Chunk, SourceRange } from '../chunking/chunker.ts'
import { afterText, type Position, positionAt } from '../documents/position.ts'
import { utf8Length } from '../documents/utf-8.ts'

/** The part of a chunk that comes from one source. */
export interface SourceText {
  readonly text: string
  readonly range: SourceRange
  /** Undefined if the source's encoding is not known; a quote then has the range of the whole part. */
  readonly bytesOf: ((text: string) => number) | undefined
  /** Position of its first character, if the source itself has none. */
  readonly position?: Position | undefined
}

/** In order; line breaks that join two sources are in no part. */
export function sourceTexts({ text, ranges }: Pick<Chunk, 'text' | 'ranges'>): readonly SourceText[] {
  const parts: SourceText[] = []
  let at = 0
  for (const [i, range] of ranges.entries()) {
    if (i > 0 && text[at] === '\n' && startsAfterBreak(text, at, ranges.slice(i))) at++
    const wanted = range.endByte - range.startByte
    const end = i === ranges.length - 1 ? text.length : indexAfter(text, at, wanted)
    const part = withoutBreak(text.slice(at, end), range)
    parts.push({ text: part, range, bytesOf: encodingOf(part, range) })
    at = end
  }
  return parts
}

const utf16Length = (text: string) => 2 * text.length

function encodingOf(text: string, { startByte, endByte }: SourceRange): SourceText['bytesOf'] {
  return [utf8Length, utf16Length].find((bytesOf) => bytesOf(text) === endByte - startByte)
}

/** The rest has more bytes than its ranges, so the line break is in none of them. */
function startsAfterBreak(text: string, at: number, ranges: readonly SourceRange[]): boolean {
  const bytes = ranges.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0)
  return utf8Length(text.slice(at)) > bytes
}

/** A chunk may end with the line break that joins its last source to the next. */
function withoutBreak(part: string, range: SourceRange): string {
  const own = part.slice(0, -1)
  return part.endsWith('\n') && !encodingOf(part, range) && encodingOf(own, range) ? own : part
}

/** Index after so many UTF-8 bytes from an index of a text. */
export function indexAfter(text: string, from: number, bytes: number): number {
  let at = from
  for (let rest = bytes; rest > 0 && at < text.length; ) {
    const size = text.codePointAt(at)! > 0xffff ? 2 : 1
    rest -= utf8Length(text.slice(at, at + size))
    at += size
  }
  return at
}

/** The bytes and position of a part of it. */
export function placeOf(
  { text, range, bytesOf, position }: SourceText,
  start: number,
  end: number,
): Pick<SourceRange, 'startByte' | 'endByte'> & { readonly position: Position | undefined } {
  const own = position && afterText(position, text.slice(0, start))
  if (!bytesOf) return { startByte: range.startByte, endByte: range.endByte, position: own }
  const startByte = range.startByte + bytesOf(text.slice(0, start))
  const endByte = startByte + bytesOf(text.slice(start, end))
  return { startByte, endByte, position: positionAt(range, text, startByte) ?? own }
}

/** Counts the lines of sources without positions, as long as they are read without a gap. */
export class LineCounter {
  #source = ''
  #endByte = 0
  #line = 1

  constructor(state?: LineCount) {
    if (state) [this.#source, this.#endByte, this.#line] = [state.source, state.endByte, state.line]
  }

  get state(): LineCount {
    return { source: this.#source, endByte: this.#endByte, line: this.#line }
  }

  /** The same part with a position, if it is known. */
  count(part: SourceText): SourceText {
    const { text, range } = part
    const goesOn = range.source === this.#source && range.startByte === this.#endByte
    // A byte order mark is not part of the text.
    if (!goesOn && range.startByte > 3) return part
    const position = { line: goesOn ? this.#line : 1 }
    ;[this.#source, this.#endByte] = [range.source, range.endByte]
    this.#line = afterText(position, text).line!
    return range.marks ? part : { ...part, position }
  }
}

export interface LineCount {
  readonly source: string
  /** End of what was read. */
  readonly endByte: number
  /** Line at that byte. */
  readonly line: number
}
