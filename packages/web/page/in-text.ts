/** Shows passages in their text, on pages that can request it. */

export interface TextPlace {
  /** Of the source. */
  readonly name: string
  readonly startByte: number
  /** Exclusive. */
  readonly endByte: number
  readonly quote?: string | undefined
}

export interface InText {
  /** Whether the text of this source is available. */
  canShow(name: string): boolean
  show(place: TextPlace): void
}

/** Key of the component context. */
export const inTextKey = 'in-text'
