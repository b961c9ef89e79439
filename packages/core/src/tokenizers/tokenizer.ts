/** The tokenizer interface. Counting may call a server, so it may be asynchronous; encoding never is. Types only. */

export interface Tokenizer {
  readonly name: string
  /** False for estimates. */
  readonly isExact: boolean
  /** Number of tokens of a text; special tokens are neither added nor recognized. */
  count(text: string): number | Promise<number>
  /**
   * Token ids. Text from documents is plain: what looks like a special token is not one, unless `specialTokens` is true (for
   * rendered chat templates). Undefined if the tokenizer can only count.
   */
  encode?(text: string, options?: { readonly specialTokens?: boolean }): number[]
  decode?(ids: readonly number[]): string
}
