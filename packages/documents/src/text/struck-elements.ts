/** Which open elements of HTML strike their text out: it no longer holds. */

/** Around such text, as in Markdown. */
export const strike = '~~'

/** A text that no longer holds; blank ones need no marks. */
export const struckOut = (text: string): string => (text.trim() === '' ? text : strike + text + strike)

/** `del` ends with the block that it is in; a browser opens the others again in the next one. */
const names = new Set(['del', 's', 'strike'])
const lineThrough = /\btext-decoration(?:-line)?\s*:[^;]*line-through/i
/** More of them inside each other are a mistake. */
const deepest = 1000

export class StruckElements {
  /** The open ones, and all open spans, with the number of blocks open around each. */
  #open: { readonly name: string; readonly blocks: number; readonly isStruck: boolean }[] = []
  #isOpen = false
  #blocks = 0
  /** For each open table, how many were open when its current cell began: none that begins in a cell goes on behind it. */
  readonly #cells: (number | undefined)[] = [undefined]

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** @param isBlock whether the element is none of a line @param style of a span */
  open(name: string, isBlock: boolean, style = ''): void {
    const isStruck = names.has(name) || (name === 'span' && lineThrough.test(style))
    if ((isStruck || name === 'span') && this.#open.length < deepest) {
      this.#open.push({ name, blocks: this.#blocks, isStruck })
      this.#isOpen ||= isStruck
    }
    if (!isBlock) return
    this.#blocks++
    if (name === 'td' || name === 'th' || name === 'tr') this.#endCell()
    if (name === 'td' || name === 'th') this.#cells[this.#cells.length - 1] = this.#open.length
    if (name === 'table' && this.#cells.length < deepest) this.#cells.push(undefined)
  }

  /** @param isBlock whether the element is none of a line */
  close(name: string, isBlock: boolean): void {
    if (names.has(name) || name === 'span') {
      const at = this.#open.findLastIndex((one) => one.name === name)
      if (at >= 0 && this.#open.splice(at, 1)[0]!.isStruck) this.#look()
    }
    if (!isBlock) return
    this.#blocks = Math.max(0, this.#blocks - 1)
    if (this.isOpen) {
      this.#open = this.#open.filter((one) => one.name !== 'del' || one.blocks <= this.#blocks)
      this.#look()
    }
    if (name === 'td' || name === 'th' || name === 'tr' || name === 'table') this.#endCell()
    if (name === 'table' && this.#cells.length > 1) this.#cells.pop()
  }

  #look(): void {
    this.#isOpen = this.#open.some(({ isStruck }) => isStruck)
  }

  #endCell(): void {
    const before = this.#cells.at(-1)
    if (before !== undefined && this.#open.length > before) {
      this.#open.length = before
      this.#look()
    }
    this.#cells[this.#cells.length - 1] = undefined
  }
}
