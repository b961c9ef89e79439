/** Whether two things have changed places: each has the neighbour in the passage that the other has in the statement. */
import { isYear } from './amounts.ts'
import { areAlike } from './compare.ts'
import { roleOf, sortOf } from './roles.ts'
import type { Token } from './token.ts'
import type { Pairs, TokenText } from './token-text.ts'
import { isVerbal } from './words/lookup.ts'

/** "Twelve failed, four skipped" beside "four failed, twelve skipped". */
export function isExchanged(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const { tokens } = statement
  const here = pairs.flatMap((found, i) => (found ? i : []))
  const there = here.toSorted((one, other) => pairs[one]!.at - pairs[other]!.at)
  const besides = (order: readonly number[], i: number, step: 1 | -1) => {
    let at = order.indexOf(i) + step
    while (order[at] !== undefined && isSameThing(tokens, order[at]!, i)) at += step
    return order[at]
  }
  return here.some((i, place) =>
    here.slice(place + 1).some((j) => {
      const [one, other] = [pairs[i]!.at, pairs[j]!.at]
      const isCrossed = one > other && passage.sentences[one] === passage.sentences[other]
      if (!isCrossed || !areRivals(statement, i, j)) return false
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

const isPassiveOnlyOnce = (
  tokens: readonly Token[],
  others: readonly Token[],
  here: readonly number[],
  there: readonly number[],
): boolean =>
  here.some((at) => roleOf(tokens, at) === 'by') !== there.some((at) => roleOf(others, at) === 'by')

/** Of one sort, so that each could stand in the place of the other. */
function areRivals({ tokens, clauses }: TokenText, i: number, j: number): boolean {
  const [one, other] = [tokens[i]!, tokens[j]!]
  if (one.kind !== other.kind || isSameThing(tokens, i, j)) return false
  if (one.kind === 'number')
    return areAlike(one, other) && !one.isOrdinal === !other.isOrdinal && isYear(one) === isYear(other)
  if (one.kind === 'name') return sortOf(one) === sortOf(other)
  return clauses[i] !== clauses[j] && !isVerbal(one.word) && !isVerbal(other.word)
}

/** Names in a row are one, and so is a date. */
function isSameThing(tokens: readonly Token[], one: number, other: number): boolean {
  const [from, to] = one < other ? [one, other] : [other, one]
  const run = tokens.slice(from, to + 1)
  const isName = run.every(({ kind, gap }, i) => kind === 'name' && (i === 0 || gap === ' '))
  return (
    isName ||
    (run.some(({ key }) => key.startsWith('month:')) &&
      run.every(({ kind, key }) => kind === 'number' || key.startsWith('month:')))
  )
}
