/** One cut: how much of the visible text becomes the next chunk. Types only; `natural.ts` and `exact.ts` decide it. */

export interface CutWindow {
  /** Text from the chunk's start, never ending inside a surrogate pair. */
  readonly window: string
  /** Text just before the chunk: the last `contextCharacters`, or all of it if there is less. */
  readonly before: string
  /** True when `window` ends with the document. */
  readonly isLast: boolean
}

export interface Cut {
  /** Characters of the chunk, at least 1. */
  readonly length: number
  readonly tokens: number
}
