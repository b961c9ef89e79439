/**
 * Builds the text of a document from nested paragraphs, tables and notes. A paragraph is a line, a table row is a line with
 * tabs between its cells, and notes follow the line that refers to them: `[1] text of the note`.
 */
import type { Position } from '@memagent/core'
import { HeadingPath } from '../text/heading-path.ts'
import { pictureText } from '../text/picture.ts'
import { raisedBehind } from '../text/raised.ts'
import { strike } from '../text/struck-elements.ts'
import type { Parsed } from './parser.ts'

/** A cell that spans more is a mistake, or meant to turn a small file into a large text. */
const mostColumns = 100

type Kind = 'paragraph' | 'row' | 'cell' | 'note'

interface Frame {
  readonly kind: Kind
  readonly parts: string[]
  /** What refers to the note. */
  readonly marker: string
  /** Of a heading, from 1. */
  level: number | undefined
  /** It ends with struck text, whose end is not marked yet. */
  isMarked: boolean
}

export class Blocks {
  #stack: Frame[] = []
  #lines: Parsed[] = []
  #notes: string[] = []
  #position: Position | undefined
  #headings = new HeadingPath()
  #isEmpty = true
  #isItem = false
  /** The last text was a superscript. */
  #isRaised = false
  /** A paragraph that the next one at the same depth continues. */
  #begun: { readonly parts: string[]; readonly depth: number } | undefined

  /**
   * Frames close in the reverse order.
   * @param marker what refers to a note
   * @param level of a heading, from 1
   */
  open(
    kind: Kind,
    { marker = '', level }: { readonly marker?: string; readonly level?: number | undefined } = {},
  ): void {
    const begun = this.#begun?.depth === this.#stack.length ? this.#begun : undefined
    if (kind !== 'paragraph') {
      if (begun) this.#endBegun()
      this.#stack.push({ kind, parts: [], marker, level, isMarked: false })
      return
    }
    const parts = begun?.parts ?? []
    if (this.#isItem) parts.unshift('- ')
    this.#stack.push({ kind, parts, marker, level, isMarked: false })
    this.#isItem = false
    if (begun) this.#begun = undefined
  }

  /** Ends the innermost open paragraph; the next one continues its text. */
  goOn(): void {
    const parts = endMark(this.#stack.pop())?.parts
    if (parts?.length) this.#begun = { parts, depth: this.#stack.length }
  }

  /** Puts a number before the text of the innermost open paragraph. */
  number(text: string): void {
    if (text !== '') this.#stack.at(-1)?.parts.unshift(text)
  }

  /** Closes a begun paragraph that no other one continues. */
  #endBegun(): void {
    if (!this.#begun) return
    this.open('paragraph')
    this.close()
  }

  /** The next paragraph is an item of a list. */
  startItem(): void {
    this.#isItem = true
  }

  /**
   * Adds text to the innermost open paragraph; outside of one it is white space between elements.
   * @param isStruck it no longer holds
   */
  text(text: string, isRaised = false, isStruck = false): void {
    const top = this.#stack.at(-1)
    if (top?.kind !== 'paragraph') return
    if (!isStruck) endMark(top)
    else if (!top.isMarked && text.trim() !== '') {
      top.parts.push(strike)
      top.isMarked = true
    }
    const begins = isRaised && !this.#isRaised
    top.parts.push(begins ? raisedBehind(top.parts.at(-1) ?? '', text) : text)
    this.#isRaised = isRaised
  }

  /** Adds a picture by its description, if it has one, to the innermost open paragraph, or as a line. */
  picture(description: string | undefined): void {
    const text = pictureText(description)
    if (text === '') return
    const top = this.#stack.at(-1)
    if (top?.kind === 'paragraph') {
      const isApart = /(?:^|\s)$/.test(top.parts.at(-1) ?? '')
      this.text(`${isApart ? '' : ' '}${text} `)
      return
    }
    this.open('paragraph')
    this.text(text)
    this.close()
  }

  /** Closes the innermost frame. @param level of a heading whose style only became known now */
  close(level?: number): void {
    if (this.#begun?.depth === this.#stack.length) this.#endBegun()
    const frame = endMark(this.#stack.pop())
    if (frame === undefined) return
    const text = frame.kind === 'row' ? frame.parts.join('\t').trimEnd() : joined(frame)
    if (frame.kind === 'note') this.#notes.push(`[${frame.marker}] ${text}`)
    else this.#place(frame.kind, text, level ?? frame.level)
  }

  /** Closes a cell. @param columns that it takes */
  closeCell(columns = 1): void {
    this.close()
    for (let more = Math.min(columns, mostColumns) - 1; more > 0; more--) {
      this.open('cell')
      this.close()
    }
  }

  /** The innermost open frame. */
  get inside(): Kind | undefined {
    return this.#stack.at(-1)?.kind
  }

  /** Adds a note whose text is already known. */
  note(marker: string, text: string): void {
    this.#notes.push(`[${marker}] ${text}`)
  }

  /** Sets the position of what follows, which is under no heading. */
  moveTo(position: Position): void {
    this.#endBegun()
    this.#flushNotes()
    this.#headings = new HeadingPath()
    this.#position = position
  }

  /** The lines since the last call. */
  take(): readonly Parsed[] {
    if (this.#stack.length === 0 && !this.#begun) this.#flushNotes()
    const lines = this.#lines
    this.#lines = []
    return lines
  }

  #place(kind: Kind, text: string, level: number | undefined): void {
    const parent = this.#stack.findLast((frame) =>
      kind === 'cell' ? frame.kind === 'row' : frame.kind === 'cell' || frame.kind === 'note',
    )
    if (parent) {
      if (kind === 'cell') parent.parts.push(text)
      else if (text.trim() !== '') parent.parts.push(text.replaceAll(/[\t\n]+/g, ' '))
      return
    }
    if (text.trim() !== '') {
      if (level !== undefined)
        this.#position = { ...this.#position, headings: this.#headings.enter(level, text) }
      this.#line(level !== undefined && !this.#isEmpty ? `\n${text}` : text)
    }
    this.#flushNotes()
  }

  #line(text: string): void {
    this.#lines.push({ text: `${text}\n`, ...(this.#position && { position: this.#position }) })
    this.#isEmpty = false
  }

  #flushNotes(): void {
    for (const note of this.#notes) this.#line(note)
    this.#notes = []
  }
}

function endMark(frame: Frame | undefined): Frame | undefined {
  if (frame?.isMarked) frame.parts.push(strike)
  if (frame) frame.isMarked = false
  return frame
}

/** A paragraph keeps its line breaks; the paragraphs of a cell or note become one line. */
const joined = ({ kind, parts }: Frame) =>
  kind === 'paragraph' ? parts.join('').trimEnd() : parts.join(' ').replaceAll(/\s+/g, ' ').trim()
