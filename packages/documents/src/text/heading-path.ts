/** The headings above a place of a document, outermost first. */

/** A longer heading is shortened: it is a name for a place, and the text has it whole. */
const longest = 120

export class HeadingPath {
  #path: readonly { readonly level: number; readonly title: string }[] = []

  /** The path from this heading on; an empty title ends those below its level. */
  enter(level: number, title: string): readonly string[] {
    const above = this.#path.filter((one) => one.level < level)
    const clean = title.replace(/\s+/g, ' ').trim()
    const shown = clean.length > longest ? `${clean.slice(0, longest - 1).trimEnd()}…` : clean
    this.#path = shown === '' ? above : [...above, { level, title: shown }]
    return this.headings
  }

  get headings(): readonly string[] {
    return this.#path.map(({ title }) => title)
  }
}
