/**
 * Tokens of the many short texts that make up a document. Counts the first ones and estimates the rest, which are of the same
 * kind, from their bytes, so that planning a document of millions of tokens takes only a moment.
 */

/** Enough for a mean within half a percent if text lengths vary by a fifth. */
const countedItems = 2000

/** Tokens of items: by `countTokens` for the first 2,000, later in proportion to `countBytes`. */
export function createMeter<T>(
  countTokens: (item: T) => number,
  countBytes: (item: T) => number,
): (item: T) => number {
  let counted = 0
  let tokens = 0
  let bytes = 0
  return (item) => {
    if (counted === countedItems && bytes > 0) {
      return (countBytes(item) * tokens) / bytes
    }
    const own = countTokens(item)
    counted += 1
    tokens += own
    bytes += countBytes(item)
    return own
  }
}

/** @returns the tokens of a text with one separator, amid other texts */
export function createTokenMeter(
  countTokens: (text: string) => number,
  separator: string,
): (text: string) => number {
  const frame = countTokens(`A${separator}A`)
  return createMeter<string>(
    (text) => countTokens(`A${separator}${text}${separator}A`) - frame,
    (text) => Buffer.byteLength(text) + Buffer.byteLength(separator),
  )
}
