/**
 * Rows of HTML tables. A row is held until it ends: only then is it known whether it is a line of cells, whose paragraphs
 * become words of that line, or lays out a page, whose paragraphs become lines.
 */
import type { LoadedText } from '../loader.ts'
import { type HtmlAttributes, HtmlWriter, isBlock, isCell, levelOf } from './html-writer.ts'

/** In characters and elements; a longer row lays out a page. */
const longestRow = 1 << 14
/** Paragraphs, items and the like in a cell; a row with more lays out a page. */
const mostBlocks = 3
/** Characters of a cell with several lines; a row with more lays out a page. */
const longestLines = 300
/** Characters without width, which mail fills cells with. */
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

type Event =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: HtmlAttributes }
  | { readonly kind: 'close'; readonly name: string }

export class HtmlRows {
  readonly #writer = new HtmlWriter()
  /** The row being held, from its opening tag. */
  #row: Event[] | undefined
  #length = 0

  text(text: string): void {
    this.#length += text.length
    this.#take({ kind: 'text', text })
  }

  open(name: string, attributes: HtmlAttributes = {}): void {
    if (name === 'tr') this.#endRow()
    // A row with a table or heading lays out a page.
    if (name === 'table' || levelOf(name) !== undefined) this.#endRow(false)
    if (name === 'tr') [this.#row, this.#length] = [[], 0]
    this.#take({ kind: 'open', name, attributes })
  }

  close(name: string): void {
    if (name === 'tr' || name === 'table') this.#endRow()
    this.#take({ kind: 'close', name })
  }

  end(): void {
    // An unclosed row may have taken in what follows the table.
    this.#endRow(false)
    this.#writer.end()
  }

  /** The finished text; excludes an open row or heading. */
  take(): Iterable<LoadedText> {
    return this.#writer.take()
  }

  #take(event: Event): void {
    this.#length++
    if (this.#row) this.#row.push(event)
    else this.#write(event)
    if (this.#length > longestRow) this.#endRow(false)
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

/** Whether several cells have text, and none has code of several lines, or so much that the row must lay out a page. */
function isLineOfCells(row: readonly Event[]): boolean {
  let [cells, blocks, lines, length] = [0, 0, 0, 0]
  /** Whether the next text begins its line, and its block. */
  let [beginsLine, beginsBlock] = [true, true]
  let code: string | undefined
  for (const event of row) {
    if (event.kind === 'text') {
      if (code !== undefined) code += event.text
      const shown = event.text.replaceAll(invisible, '').replaceAll(/\s+/g, ' ').trim()
      if (shown === '') continue
      if (lines === 0) cells++
      if (beginsLine) lines++
      if (beginsBlock) blocks++
      ;[beginsLine, beginsBlock] = [false, false]
      length += shown.length
      if (blocks > mostBlocks || (lines > 1 && length > longestLines)) return false
      continue
    }
    if (event.kind === 'open' && isCell(event.name)) [blocks, lines, length] = [0, 0, 0]
    if (event.name === 'br' || isBlock(event.name)) beginsLine = true
    if (isBlock(event.name)) beginsBlock = true
    if (event.name === 'pre') {
      if (code?.trim().includes('\n')) return false
      code = event.kind === 'open' ? '' : undefined
    } else if (code !== undefined && beginsLine) code += '\n'
  }
  return cells > 1 && !code?.trim().includes('\n')
}
