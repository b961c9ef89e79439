/**
 * Which conversations of a rollout its reward is credited to, and with how much. Credit decides about the advantage alone: all
 * conversations stay in the loss, in its denominator and under its KL term, so that two choices differ in nothing else.
 */

/**
 * - `all`: every conversation that led to the answer gets the whole advantage (MemAgent).
 * - `split`: every conversation gets the advantage divided by their number.
 * - `final`: the answer alone; what the paper says does not suffice.
 */
export type Credit = 'all' | 'split' | 'final'

/**
 * @param kinds of the rollout's conversations, in order (`update`, `answer`, ...)
 * @returns [conversations] factors of the advantage
 */
export function creditFactors(kinds: readonly string[], credit: Credit): number[] {
  switch (credit) {
    case 'all':
      return kinds.map(() => 1)
    case 'split':
      return kinds.map(() => 1 / kinds.length)
    case 'final':
      return kinds.map((kind) => (kind === 'answer' ? 1 : 0))
  }
}
