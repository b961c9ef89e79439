/** Descriptions of the pictures of HTML. */
import { pictureText } from './picture.ts'

/** Pages that load a picture late have it twice, one behind the other: once more in a `<noscript>`, for browsers without scripts. */
export class HtmlPictures {
  #isInNoscript = false
  /** The last picture, if nothing was written since. */
  #last: { readonly text: string; readonly isInNoscript: boolean } | undefined

  open(name: string): void {
    if (name === 'noscript') this.#isInNoscript = true
  }

  close(name: string): void {
    if (name === 'noscript') this.#isInNoscript = false
  }

  /** @returns nothing for the second of a pair, and for a picture that only decorates or has no description */
  text(attributes: Readonly<Record<string, string>>): string {
    const text = attributes['aria-hidden'] === 'true' ? '' : pictureText(attributes.alt)
    const isInNoscript = this.#isInNoscript
    const isSecond = this.#last?.text === text && this.#last.isInNoscript !== isInNoscript
    if (text !== '') this.#last = isSecond ? undefined : { text, isInNoscript }
    return isSecond ? '' : text
  }

  /** @param text written, of a picture or not */
  written(text: string): void {
    if (text !== this.#last?.text) this.#last = undefined
  }
}
