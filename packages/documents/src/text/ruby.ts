/**
 * Annotations beside words, such as the reading of Japanese characters: `漢字(かんじ)`. In HTML, they stand between the characters
 * of a word, which would not be found.
 */
export const annotated = (annotation: string): string =>
  annotation.trim() === '' ? '' : `(${annotation.trim()})`

export class HtmlRuby {
  /** What the text now belongs to; parentheses are for browsers that know no annotations. */
  #in: 'base' | 'annotation' | 'parentheses' = 'base'
  #annotation = ''

  /** Whether the text is not one of the line itself. */
  takes(text: string): boolean {
    if (this.#in === 'annotation') this.#annotation += text.replaceAll(/\s+/g, ' ')
    return this.#in !== 'base'
  }

  /** Their end tags may be left out. */
  open(name: string): void {
    if (name === 'rt') this.#in = 'annotation'
    else if (name === 'rp') this.#in = 'parentheses'
    else if (name === 'rb' || name === 'rtc') this.#in = 'base'
  }

  close(name: string): void {
    if (name === 'rt' || name === 'rp') this.#in = 'base'
  }

  /** Ends the annotated words. @returns what comes behind them */
  end(): string {
    const shown = annotated(this.#annotation)
    this.#in = 'base'
    this.#annotation = ''
    return shown
  }
}
