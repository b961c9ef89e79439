/** Comparative statements about which of two comes first or has more, checked against the numbers of the text. */
import { type Amount, amountsIn, type Operand } from './amounts.ts'
import { compare } from './compare.ts'
import type { Token } from './token.ts'

const more = new Set(
  'more higher larger bigger greater longer taller heavier wider richer costlier dearer expensive later after younger newer better'.split(
    ' ',
  ),
)
const less = new Set(
  'less fewer lower smaller shorter lighter narrower cheaper earlier before older faster quicker sooner'.split(
    ' ',
  ),
)
/** Kinds of amounts that an adjective compares; adjectives not listed accept any kind. */
const measuredIn: Readonly<Record<string, readonly string[]>> = {
  heavier: ['mass'],
  lighter: ['mass'],
  longer: ['time', 'months', 'length', 'clock', 'count'],
  shorter: ['time', 'months', 'length', 'count'],
  older: ['year', 'days', 'months', 'count'],
  younger: ['year', 'days', 'months', 'count'],
  newer: ['year', 'days'],
  earlier: ['year', 'days', 'clock'],
  later: ['year', 'days', 'clock'],
  before: ['year', 'days', 'clock'],
  after: ['year', 'days', 'clock'],
  faster: ['time', 'months'],
  quicker: ['time', 'months'],
  sooner: ['time', 'months', 'days', 'year', 'clock'],
  cheaper: ['EUR', 'USD', 'GBP', 'CHF', 'count'],
}
const scaled = new Set(['year', 'days', 'clock'])

export interface Comparison {
  readonly one: readonly Token[]
  readonly other: readonly Token[]
  readonly by: string
  /** The compared property: "seats" in "more seats than". */
  readonly dimension: readonly Token[]
}

/** "A has more X than B", "A came before B"; undefined if nothing is compared. */
export function comparisonIn(tokens: readonly Token[]): Comparison | undefined {
  const than = tokens.findIndex(({ word }) => word === 'than')
  if (than > 0) {
    const at = tokens.findLastIndex(({ word }, i) => i < than && (more.has(word) || less.has(word)))
    if (at < 1 || tokens[than + 1]?.kind === 'number') return undefined
    const dimension = [...tokens.slice(at + 1, than), ...tokens.slice(0, at)].filter(
      ({ kind }) => kind === 'word',
    )
    return { one: tokens.slice(0, at), other: tokens.slice(than + 1), by: tokens[at]!.word, dimension }
  }
  const at = tokens.findIndex(({ word }, i) => i > 0 && (word === 'before' || word === 'after'))
  if (at < 1 || tokens[at + 1] === undefined || tokens[at + 1]!.kind === 'number') return undefined
  return { one: tokens.slice(0, at), other: tokens.slice(at + 1), by: tokens[at]!.word, dimension: [] }
}

/** Sentences that show the comparison; undefined if none do, or if they show the opposite. */
export function shownBy(comparison: Comparison, operands: readonly Operand[]): readonly number[] | undefined {
  const { one, other, by, dimension } = comparison
  const kinds = measuredIn[by]
  const [mine, theirs] = [
    candidatesOf(one, other, operands, dimension),
    candidatesOf(other, one, operands, dimension),
  ]
  for (const amount of mine) {
    if (kinds && !kinds.includes(amount.kind)) continue
    const rival = theirs.find((it) => it.kind === amount.kind && it !== amount && it.of === amount.of)
    if (!rival || rival.value === amount.value) continue
    const isScale = scaled.has(amount.kind)
    const wantsMore = isScale || !/^(?:older|younger)$/.test(by) ? more.has(by) : by === 'older'
    return amount.value > rival.value === wantsMore ? [amount.ordinal, rival.ordinal] : undefined
  }
  return undefined
}

/** Amounts of one of the two, the likeliest first. */
function candidatesOf(
  part: readonly Token[],
  rest: readonly Token[],
  operands: readonly Operand[],
  dimension: readonly Token[],
): Amount[] {
  const own = part.filter(
    (token) => token.kind !== 'function' && !rest.some((it) => it.kind !== 'function' && compare(token, it)),
  )
  const found: { readonly amount: Amount; readonly cost: number }[] = []
  for (const operand of operands) {
    const { tokens, clauses } = operand.text
    const placesOf = (some: readonly Token[]) =>
      some.flatMap((token) => tokens.flatMap((it, at) => (compare(token, it) ? at : [])))
    const named = placesOf(own.filter(({ kind }) => kind === 'name'))
    const places = named.length > 0 ? named : placesOf(own)
    if (places.length === 0) continue
    const matched = own.filter((token) => tokens.some((it) => compare(token, it))).length
    for (const amount of amountsIn(operand)) {
      const isNamed = dimension.some((token) =>
        [amount.at - 1, amount.at + 1, amount.at + 2].some((at) => tokens[at] && compare(token, tokens[at]!)),
      )
      const nearest = Math.min(
        ...places.map(
          (at) =>
            Math.abs(at - amount.at) +
            (clauses[at] === clauses[amount.at] ? 0 : 6) +
            (isDivided(tokens, Math.min(at, amount.at), Math.max(at, amount.at)) ? 6 : 0),
        ),
      )
      found.push({ amount, cost: nearest - 20 * matched - (isNamed ? 8 : 0) })
    }
  }
  return found.sort((a, b) => a.cost - b.cost).map(({ amount }) => amount)
}

/** "22 in Scotland and 14 in Wales": 14 does not belong to Scotland. */
const isDivided = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.slice(from + 1, to + 1).some(({ word, gap }) => word === 'and' || /[,;]/.test(gap))
