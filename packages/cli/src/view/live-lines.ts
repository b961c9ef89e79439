/** Lines at the end of the output that are drawn over themselves, where the output is a terminal. */
import { stripVTControlCharacters } from 'node:util'
import { type Output, printable } from '../terminal.ts'
import { textWidth } from './text-width.ts'

export class LiveLines {
  readonly #output: Output
  #widths: readonly number[] = []

  constructor(output: Output) {
    this.#output = output
  }

  /** Terminals without a window, such as those of some containers, say that they have no columns. */
  get #width(): number {
    return this.#output.columns || 80
  }

  /** One less than there are: a full line would wrap in some terminals. */
  get columns(): number {
    return Math.max(20, this.#width) - 1
  }

  /** @param lines none of them wider than `columns` */
  draw(lines: readonly string[]): void {
    this.#output.write(`${this.#erasure()}${lines.map((line) => `${line}\n`).join('')}`)
    this.#widths = lines.map((line) => textWidth(stripVTControlCharacters(line)))
  }

  /** A line that stays, above those that are drawn; those are gone until they are drawn again. */
  note(text: string): void {
    this.#output.write(`${this.#erasure()}${printable(text)}\n`)
    this.#widths = []
  }

  /** What is drawn stays where it is. */
  leave(): void {
    // What somebody typed since stands on the line below, such as ^C.
    if (this.#output.isTTY && this.#widths.length > 0) this.#output.write('\r\x1b[0J')
    this.#widths = []
  }

  /** Also of what was typed since, and of lines that a terminal wrapped when it became narrower. */
  #erasure(): string {
    if (!this.#output.isTTY || this.#widths.length === 0) return ''
    const columns = this.#width
    const rows = this.#widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
    return `\r\x1b[${rows}A\x1b[0J`
  }
}
