import { inLetters } from '../text/list-numbers.ts'

/** Wider gaps are not written as tabs: one cell in the last column must not cost 16,000 of them. */
const widestGap = 100

/** The line of a sheet row: tabs keep cells in their columns; a cell after a wide gap names its own, `[BC] 7`. */
export class SheetRow {
  #line = ''
  /** Column of the last cell with text. */
  #column = 0

  /** @param column from 1 */
  add(column: number, text: string): void {
    const shown = text.replaceAll(/[\t\r\n]+/g, ' ')
    if (shown.trim() === '') return
    const gap = column - Math.max(1, this.#column)
    if (gap <= widestGap) this.#line += '\t'.repeat(this.#column === 0 ? gap : Math.max(1, gap))
    else this.#line += `${this.#column === 0 ? '' : '\t'}[${inLetters(column)}] `
    this.#line += shown
    this.#column = column
  }

  get text(): string {
    return this.#line.trimEnd()
  }
}
