/** Which tokens belong to a date. */
import type { Token } from './token.ts'

const isMonth = (token: Token | undefined): boolean => token?.key.startsWith('month:') === true

/** A month, a day or year beside it, or the first number of "4 to 14 June". */
export const isOfDate = (tokens: readonly Token[], at: number): boolean =>
  isMonth(tokens[at]) ||
  (tokens[at]?.kind === 'number' &&
    ([-2, -1, 1, 2].some((step) => isMonth(tokens[at + step])) ||
      (tokens[at + 2]?.kind === 'number' && isMonth(tokens[at + 3]))))
