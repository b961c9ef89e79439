/** Fills a text with documents. */

/** The text counts as full after this many documents were too long for the remaining space. */
const mostTooLong = 20

/**
 * The required documents, then as many candidates as fit, in order. A longer text contains every document of a shorter one.
 * @param own required documents, by number like the candidates
 * @returns undefined if the required ones do not fit; `isFull` unless there were too few candidates
 */
export function fillText(
  own: readonly number[],
  candidates: Iterable<number>,
  lengthTokens: number,
  tokensOf: (document: number) => number,
  allowedTooLong = mostTooLong,
): { readonly chosen: readonly number[]; readonly isFull: boolean } | undefined {
  let tokensLeft = own.reduce((left, document) => left - tokensOf(document), lengthTokens)
  if (tokensLeft < 0) return undefined
  const chosen = [...own]
  let tooLong = 0
  for (const document of candidates) {
    const tokens = tokensOf(document)
    if (tokens <= tokensLeft) {
      chosen.push(document)
      tokensLeft -= tokens
      continue
    }
    tooLong += 1
    if (tooLong === allowedTooLong) break
  }
  return { chosen, isFull: tooLong > 0 }
}
