/** Documents that fill a text. */

/** After skipping this many documents that were too long for the remaining space, the text counts as full. */
const mostTooLong = 20

/**
 * The required documents, then candidates in order, as many as fit. A longer text contains every document of a shorter one.
 * @param own documents by number, as the candidates are
 * @returns undefined when the own ones do not fit; `isFull` unless there were too few candidates
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
