/** A text cut at a passage. */

export interface SplitText {
  readonly before: string
  readonly passage: string
  readonly behind: string
}

interface Place {
  /** Bytes of UTF-8 in the text. */
  readonly from: number
  readonly to: number
  /** The passage as quoted; undefined: everything from `from` to `to`. */
  readonly quote?: string | undefined
}

/** Finds the passage where its quote is nearest to its place, or else at its place. */
export function splitAround(text: string, { from, to, quote }: Place): SplitText {
  const [start, end] = [charactersIn(text, from), charactersIn(text, to)]
  const found = quote ? nearest(text, quote, start) : -1
  const [first, last] = found >= 0 ? [found, found + quote!.length] : [start, end]
  return { before: text.slice(0, first), passage: text.slice(first, last), behind: text.slice(last) }
}

/** How many whole characters the bytes hold. */
function charactersIn(text: string, bytes: number): number {
  const encoded = new TextEncoder().encode(text).subarray(0, Math.max(0, bytes))
  // `stream` leaves out a character that is cut.
  return new TextDecoder().decode(encoded, { stream: true }).length
}

function nearest(text: string, quote: string, start: number): number {
  const behind = text.indexOf(quote, start)
  const before = text.lastIndexOf(quote, start)
  if (behind < 0 || before < 0) return Math.max(behind, before)
  return behind - start <= start - before ? behind : before
}
