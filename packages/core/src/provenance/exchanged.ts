/** Whether two things have changed places: each has the neighbour in the passage that the other has in the statement. */
import { isSameSort } from './apart.ts'
import { roleOf, sortOf } from './roles.ts'
import type { Token } from './token.ts'
import type { Pairs, TokenText } from './token-text.ts'
import { isVerbal } from './words/lookup.ts'

/** "Mott taught law, and Crane history" against "Crane taught law, and Mott history". */
export function isExchanged(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const { tokens } = statement
  const here = pairs.flatMap((found, i) => (found ? i : []))
  const there = here.toSorted((one, other) => pairs[one]!.at - pairs[other]!.at)
  const besides = (order: readonly number[], i: number, step: 1 | -1) => order[order.indexOf(i) + step]
  return here.some((i, place) =>
    here.slice(place + 1).some((j) => {
      const [one, other] = [pairs[i]!.at, pairs[j]!.at]
      const isCrossed = one > other && passage.sentences[one] === passage.sentences[other]
      if (!isCrossed || !areRivals(statement, i, j)) return false
      if (tokens[i]!.kind === 'number' && besides(here, i, 1) === j && besides(there, j, 1) === i) {
        const between = joint(tokens, i, j)
        const isOrdered = !isList.test(between) && between === joint(passage.tokens, other, one)
        return isOrdered && besides(here, i, -1) === besides(there, j, -1)
      }
      if (isPassiveOnlyOnce(tokens, passage.tokens, [i, j], [one, other])) return false
      return ([1, -1] as const).some((step) => {
        const [ofOne, ofOther] = [besides(here, i, step), besides(here, j, step)]
        return (
          ofOne !== undefined &&
          ofOther !== undefined &&
          ofOne === besides(there, j, step) &&
          ofOther === besides(there, i, step)
        )
      })
    }),
  )
}

/** Lists like "5, 7 and 9" may be reordered; 3-1 and "14 to 21" may not. */
const isList = /^(?:[\s,;]|(?<!\p{L})(?:and|or|und|oder|et|ou|y|o)(?!\p{L}))*$/u

/** The text between two tokens. */
const joint = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from + 1, to + 1)
    .map(({ gap, word }, i) => gap + (from + 1 + i === to ? '' : word))
    .join('')

const isPassiveOnlyOnce = (
  tokens: readonly Token[],
  others: readonly Token[],
  here: readonly number[],
  there: readonly number[],
): boolean =>
  here.some((at) => roleOf(tokens, at) === 'by') !== there.some((at) => roleOf(others, at) === 'by')

/** Whether the two are of one sort, so that each could take the other's place. */
function areRivals({ tokens, clauses }: TokenText, i: number, j: number): boolean {
  const [one, other] = [tokens[i]!, tokens[j]!]
  if (one.kind !== other.kind) return false
  if (one.kind === 'number') return isSameSort(one, other)
  if (one.kind === 'name') return sortOf(one) === sortOf(other)
  return clauses[i] !== clauses[j] && !isVerbal(one.word) && !isVerbal(other.word)
}
