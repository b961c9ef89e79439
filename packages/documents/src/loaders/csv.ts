/** CSV and TSV as written; positions are rows (the heading is row 1) and lines. Quoted values may contain line breaks. */
import type { Loader } from '../loader.ts'
import { decodedText } from '../text/decoded-text.ts'
import { linesOf } from '../text/lines.ts'

export const csv: Loader = {
  name: 'csv',
  version: 1,
  isVerbatim: true,
  claims: ({ fileName }) => /\.(csv|tsv|tab)$/.test(fileName),
  async *load(source, context) {
    const quotes = new Quotes()
    let [row, line] = [0, 0]
    for await (const { text, isContinued } of linesOf(decodedText(source, context))) {
      if (!isContinued) line++
      const begins = !quotes.isOpen && !isContinued
      if (begins) row++
      quotes.read(text, begins)
      yield { text, ...(begins && { position: { row, line } }) }
    }
  },
}

/** Whether a quoted value is open. A quote opens one at the start of a cell; elsewhere it is literal, as in 6". */
class Quotes {
  isOpen = false
  /** The last character that is not a space; empty at the start of a row. */
  #before = ''
  /** Index of the quote that closed a value, relative to the next text. A quote right after it was an escaped quote. */
  #closedAt = -2

  read(text: string, beginsRow: boolean): void {
    if (beginsRow) [this.#before, this.#closedAt] = ['', -2]
    for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
      if (this.isOpen) [this.isOpen, this.#closedAt] = [false, at]
      else this.isOpen = this.#closedAt === at - 1 || this.#isCellStart(text, at)
    }
    this.#closedAt -= text.length
    this.#before = text.trimEnd().at(-1) ?? this.#before
  }

  #isCellStart(text: string, at: number): boolean {
    let last = at - 1
    while (text[last] === ' ') last--
    return ['', ',', ';', '\t', '|'].includes(last < 0 ? this.#before : text[last]!)
  }
}
