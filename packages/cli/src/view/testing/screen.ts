/**
 * A terminal, as far as the views need one: wraps long lines, also after changes of its width, moves the cursor up, erases
 * below it, and shows what is typed. Every character takes one column.
 */
const parts = new RegExp(`(${String.fromCharCode(27)}\\[\\d+[AJ]|\\r|\\n)`)

export class TerminalScreen {
  readonly isTTY = true
  columns: number
  #lines: string[] = ['']
  #line = 0
  #column = 0

  constructor(columns: number) {
    this.columns = columns
  }

  write(text: string): void {
    for (const part of text.split(parts)) {
      if (part === '\r') this.#column -= this.#column % this.columns
      else if (part === '\n') this.#newLine()
      else if (part.endsWith('A') && parts.test(part)) this.#up(Number.parseInt(part.slice(2), 10))
      else if (part.endsWith('J') && parts.test(part)) this.#eraseBelow()
      else this.#put(part)
    }
  }

  /** Typed text appears at the cursor. */
  type(text: string): void {
    this.#put(text)
  }

  /** The screen without colours, with a line break where a line is wrapped. */
  text(): string {
    return this.#lines
      .flatMap((line) => this.#rowsOf(line))
      .join('\n')
      .trimEnd()
  }

  #rowsOf(line: string): string[] {
    const rows = Math.max(1, Math.ceil(line.length / this.columns))
    return Array.from({ length: rows }, (_, i) => line.slice(i * this.columns, (i + 1) * this.columns))
  }

  #put(text: string): void {
    const plain = text.replace(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '')
    const line = this.#lines[this.#line]!.padEnd(this.#column)
    this.#lines[this.#line] = line.slice(0, this.#column) + plain + line.slice(this.#column + plain.length)
    this.#column += plain.length
  }

  #newLine(): void {
    this.#line += 1
    this.#column = 0
    if (this.#line === this.#lines.length) this.#lines.push('')
  }

  #up(count: number): void {
    const rows = this.#lines.flatMap((line, i) => this.#rowsOf(line).map((_, row) => ({ line: i, row })))
    const here = rows.findIndex(
      ({ line, row }) => line === this.#line && row === Math.floor(this.#column / this.columns),
    )
    const target = rows[Math.max(0, here - count)]!
    this.#column = target.row * this.columns + (this.#column % this.columns)
    this.#line = target.line
  }

  #eraseBelow(): void {
    this.#lines[this.#line] = this.#lines[this.#line]!.slice(0, this.#column)
    this.#lines.length = this.#line + 1
  }
}
