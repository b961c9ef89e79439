/** Lines at the end of the output that are redrawn in place, if the output is a terminal. */
import { stripVTControlCharacters } from 'node:util'
import { type Output, printable } from '../terminal.ts'
import { textWidth } from './text-width.ts'

export class LiveLines {
  readonly #output: Output
  #widths: readonly number[] = []

  constructor(output: Output) {
    this.#output = output
  }

  /** Terminals without a window, such as those of some containers, report zero columns. */
  get #width(): number {
    return this.#output.columns || 80
  }

  /** One less than the width: a full line would wrap in some terminals. */
  get columns(): number {
    return Math.max(20, this.#width) - 1
  }

  /** @param lines none wider than `columns` */
  draw(lines: readonly string[]): void {
    this.#output.write(`${this.#erasure()}${lines.map((line) => `${line}\n`).join('')}`)
    this.#widths = lines.map((line) => textWidth(stripVTControlCharacters(line)))
  }

  /** Prints a line that stays, above the live lines, which disappear until they are drawn again. */
  note(text: string): void {
    this.#output.write(`${this.#erasure()}${printable(text)}\n`)
    this.#widths = []
  }

  /** Leaves the live lines where they are. */
  leave(): void {
    // Whatever was typed since, such as ^C, is on the line below.
    if (this.#output.isTTY && this.#widths.length > 0) this.#output.write('\r\x1b[0J')
    this.#widths = []
  }

  /** Also erases what was typed since, and lines that wrapped when the terminal became narrower. */
  #erasure(): string {
    if (!this.#output.isTTY || this.#widths.length === 0) return ''
    const columns = this.#width
    const rows = this.#widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
    return `\r\x1b[${rows}A\x1b[0J`
  }
}
