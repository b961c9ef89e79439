/** Words of a statement that the passage replaces by others. */
import { areAlike } from './compare.ts'
import { anchorsIn } from './pairing.ts'
import type { Token } from './token.ts'
import type { Pairs, TokenText } from './token-text.ts'
import { isVerbal } from './words/lookup.ts'

interface Laid {
  readonly statement: TokenText
  readonly passage: TokenText
  readonly pairs: Pairs
  /** Indices of the matched tokens of the passage. */
  readonly used: ReadonlySet<number>
}

const determiners = new Set('the a an every each his her its their no of in'.split(' '))

/**
 * Whether the passage has another word in the place of one that it lacks. If a name or number matches within one sentence, a
 * different verb says little; if two match, only what a number counts must be the same.
 */
export function isSubstituted(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const { tokens } = statement
  const used = new Set(pairs.flatMap((found) => (found ? found.at : [])))
  const laid = { statement, passage, pairs, used }
  const anchors = anchorsIn(statement, passage, pairs)
  return tokens.some(({ kind, word }, i) => {
    if (pairs[i] && kind === 'number') return isOfAnotherUnit(laid, i)
    if (pairs[i] || kind !== 'word') return false
    if (anchors > 0 && isVerbal(word) && !determiners.has(tokens[i - 1]?.word ?? '')) return false
    return countsAnother(laid, i) || (anchors < 2 && isInPlaceOf(laid, i))
  })
}

/** "250 lamps" against "250 chairs". */
function countsAnother({ statement, passage, pairs, used }: Laid, i: number): boolean {
  const number = statement.tokens[i - 1]?.kind === 'number' ? pairs[i - 1] : undefined
  if (!number || statement.clauses[i - 1] !== statement.clauses[i]) return false
  const next = number.at + 1
  return isContent(passage, next) && !used.has(next) && passage.clauses[next] === passage.clauses[number.at]
}

/** "250 mg" against "250 tablets", either way: only one of the two is a known unit. */
function isOfAnotherUnit({ statement, passage, pairs, used }: Laid, i: number): boolean {
  const { at } = pairs[i]!
  const [one, other] = [statement.tokens[i]!, passage.tokens[at]!]
  if (!one.units === !other.units) return false
  // "52 instead of 45 pounds"
  const isShared = (tokens: readonly Token[], { units }: Token) =>
    units !== undefined && tokens.some((token) => token.units && areAlike(token, { units }))
  return one.units
    ? isNamedBehind(passage.tokens, at) && !used.has(at + 1) && !isShared(passage.tokens, one)
    : isNamedBehind(statement.tokens, i) && !pairs[i + 1] && !isShared(statement.tokens, other)
}

/** Whether a word stands where the unit of a number would. */
function isNamedBehind(tokens: readonly Token[], at: number): boolean {
  const { kind, gap, isCapital, isHeader } = tokens[at + 1] ?? {}
  const isWord = kind === 'word' || (kind === 'name' && !isCapital)
  return isWord && !isHeader && /^[ \u00a0-]?$/.test(gap!)
}

/** Whether another word stands between the same neighbours, or after or before the only one. */
function isInPlaceOf(laid: Laid, i: number): boolean {
  const { statement, passage, pairs } = laid
  const [left, right] = [neighbour(laid, i, -1), neighbour(laid, i, 1)]
  const [l, r] = [left, right].map((at) => (at === undefined ? undefined : pairs[at]!.at))
  if (l !== undefined && r !== undefined && l < r && passage.clauses[l] === passage.clauses[r])
    return [1, 2].includes(strangers(laid, l, r))
  if (l !== undefined) {
    const run = (right ?? borderOf(statement, i, 1)) - left! - 1
    const count = strangers(laid, l, borderOf(passage, l, 1))
    return count > 0 && count <= run
  }
  return r !== undefined && strangers(laid, borderOf(passage, r, -1), r) === 1
}

const isContent = ({ tokens }: TokenText, at: number): boolean =>
  tokens[at] !== undefined && tokens[at].kind !== 'function' && !tokens[at].isHeader

/** Unmatched words of the passage strictly between two indices. */
function strangers({ passage, used }: Laid, from: number, to: number): number {
  let count = 0
  for (let at = from + 1; at < to; at++) if (isContent(passage, at) && !used.has(at)) count++
  return count
}

/** The nearest matched word of the clause, skipping at most two unmatched ones. */
function neighbour(
  { statement: { tokens, clauses }, pairs }: Laid,
  i: number,
  step: 1 | -1,
): number | undefined {
  for (let [at, left] = [i + step, 2]; clauses[at] === clauses[i] && left >= 0; at += step) {
    if (tokens[at]!.kind === 'function') continue
    if (pairs[at]) return at
    left--
  }
  return undefined
}

/** The first index outside the clause. */
function borderOf({ clauses }: TokenText, at: number, step: 1 | -1): number {
  let border = at
  while (clauses[border] === clauses[at]) border += step
  return border
}
