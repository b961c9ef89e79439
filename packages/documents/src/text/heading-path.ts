/** The headings above a place in a document, outermost first. */

/** Longer headings are shortened: they name a place here, and the text has them in full. */
const longest = 120

export class HeadingPath {
  #path: readonly { readonly level: number; readonly title: string }[] = []

  /** Enters a heading, and returns the path to it; an empty title only ends the headings at and below its level. */
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
