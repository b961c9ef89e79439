/** The lengths of documents, ascending, each once. */
export const lengthsOf = (items: readonly { readonly lengthTokens: number }[]): number[] =>
  [...new Set(items.map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)
