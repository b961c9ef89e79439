/**
 * Rows of HTML tables. A row is held until it ends, for only then is it known whether it is a line of cells, whose paragraphs are words
 * of that line, or lays out a page, whose paragraphs are lines.
 */
import type { LoadedText } from '../loader.ts'
import { type HtmlAttributes, HtmlWriter, isCell, levelOf } from './html-writer.ts'

/** A longer row lays out a page, in characters. */
const longestRow = 1 << 14

type Event =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: HtmlAttributes }
  | { readonly kind: 'close'; readonly name: string }

export class HtmlRows {
  readonly #writer = new HtmlWriter()
  /** Of the row that is held, from its own beginning. */
  #row: Event[] | undefined
  #length = 0

  text(text: string): void {
    this.#length += text.length
    this.#take({ kind: 'text', text })
    if (this.#length > longestRow) this.#endRow(false)
  }

  open(name: string, attributes: HtmlAttributes = {}): void {
    if (name === 'tr') this.#endRow()
    // What holds tables or headings lays out a page.
    if (name === 'table' || levelOf(name) !== undefined) this.#endRow(false)
    if (name === 'tr') [this.#row, this.#length] = [[], 0]
    this.#take({ kind: 'open', name, attributes })
  }

  close(name: string): void {
    if (name === 'tr' || name === 'table') this.#endRow()
    this.#take({ kind: 'close', name })
  }

  end(): void {
    this.#endRow()
    this.#writer.end()
  }

  /** Text that is finished; of an open row or heading, none. */
  take(): Iterable<LoadedText> {
    return this.#writer.take()
  }

  #take(event: Event): void {
    this.#length++
    if (this.#row) this.#row.push(event)
    else this.#write(event)
  }

  #endRow(isLine = this.#row !== undefined && isLineOfCells(this.#row)): void {
    const [begin, ...events] = this.#row ?? []
    this.#row = undefined
    if (begin) this.#write(begin)
    this.#writer.isInLine = isLine
    for (const event of events) this.#write(event)
    this.#writer.isInLine = false
  }

  #write(event: Event): void {
    if (event.kind === 'text') this.#writer.text(event.text)
    else if (event.kind === 'open') this.#writer.open(event.name, event.attributes)
    else this.#writer.close(event.name)
  }
}

/** Several cells have text, and no code that takes several lines. */
function isLineOfCells(row: readonly Event[]): boolean {
  let [cells, hasText] = [0, false]
  let code: string[] | undefined
  for (const event of row) {
    if (event.kind === 'text') {
      if (event.text.trim() !== '' && !hasText) [cells, hasText] = [cells + 1, true]
      code?.push(event.text)
    } else if (event.kind === 'open' && isCell(event.name)) hasText = false
    else if (event.name === 'pre') {
      if (code?.join('').trim().includes('\n')) return false
      code = event.kind === 'open' ? [] : undefined
    }
  }
  return cells > 1
}
