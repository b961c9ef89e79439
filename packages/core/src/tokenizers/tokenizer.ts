/** The tokenizer interface. Counting may ask a server, so it may be asynchronous; encoding never is. Types only. */

export interface Tokenizer {
  readonly name: string
  /** False for estimates. */
  readonly isExact: boolean
  /** Number of tokens of a text, special tokens not added and not recognized. */
  count(text: string): number | Promise<number>
  /**
   * Token ids. Text from documents is plain: what looks like a special token is not one unless `specialTokens` is true
   * (used for rendered chat templates). Undefined where only counts are known.
   */
  encode?(text: string, options?: { readonly specialTokens?: boolean }): number[]
  decode?(ids: readonly number[]): string
}
