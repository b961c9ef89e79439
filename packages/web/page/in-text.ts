/** Shows passages where they stand, on pages that can ask for the text. */

export interface TextPlace {
  /** Of the source. */
  readonly name: string
  readonly startByte: number
  /** Exclusive. */
  readonly endByte: number
  readonly quote?: string | undefined
}

export interface InText {
  /** Whether the text of this source can be had. */
  canShow(name: string): boolean
  show(place: TextPlace): void
}

/** Of the context of components. */
export const inTextKey = 'in-text'
