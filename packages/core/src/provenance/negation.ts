/** Whether a statement is negated and its passage is not, or the reverse. */
import type { Token } from './token.ts'
import type { Pairs, TokenText } from './token-text.ts'
import { keyOf } from './words/lookup.ts'

/** Indices of the two words after each negation, or of the one before it if none follows. */
function negated(text: TokenText): ReadonlySet<number> {
  const { tokens } = text
  const places = new Set<number>()
  for (const [i, { isNegator, key, kind }] of tokens.entries()) {
    if (undone.has(key)) {
      const isBehind = isBe(tokens[i - 1]) || isLast(text, i)
      for (const at of next(text, i, isBehind ? -1 : 1, 2)) places.add(at)
    }
    if (!isNegator || tokens[i + 1]?.word === 'only') continue
    for (const at of next(text, i, 1, 2)) places.add(at)
    if (kind !== 'number' && isLast(text, i)) for (const at of next(text, i, -1, 1)) places.add(at)
  }
  return places
}

/** The nearest words in the clause; stops at "but", as in "not in Imst, but in Landeck". */
function next({ tokens, clauses }: TokenText, i: number, step: 1 | -1, most: number): number[] {
  const places: number[] = []
  for (let at = i + step; clauses[at] === clauses[i] && places.length < most; at += step) {
    const { kind, word } = tokens[at]!
    if (step > 0 && /^(?:but|sondern|mais|sino)$/.test(word)) break
    if (kind !== 'function' && word !== 'longer' && word !== 'more') places.push(at)
  }
  return places
}

/** Whether a clause ends here: "Water is included, electricity is not." */
const isLast = ({ tokens, clauses }: TokenText, i: number): boolean =>
  tokens.every(({ kind }, at) => at <= i || clauses[at] !== clauses[i] || kind === 'function')

const isBe = (token: Token | undefined): boolean => /^(?:is|are|was|were|been|be)$/.test(token?.word ?? '')

/** "The motion was rejected", "deployment skipped": what is next to the word did not happen. */
const undone = new Set('rejected refused denied cancelled skipped abandoned'.split(' ').map(keyOf))

export function isNegatedOtherwise(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const [here, there] = [negated(statement), negated(passage)]
  const opposite = pairs.findIndex((found) => found?.match.how === 'opposite')
  if (opposite >= 0) return here.has(opposite) === there.has(pairs[opposite]!.at)
  // A name or number alone makes no claim that could be negated.
  if (
    statement.tokens.length === 1 ||
    statement.tokens.every(({ kind }) => kind === 'name' || kind === 'number')
  ) {
    return false
  }
  const ofStatement = new Set<number>()
  const ofPassage = new Set<number>()
  for (const [i, found] of pairs.entries()) {
    if (!found) continue
    const [isHere, isThere] = [here.has(i), there.has(found.at)]
    if (isHere) ofStatement.add(i)
    if (isThere) ofPassage.add(i)
  }
  if (here.size > 0 && ofStatement.size === 0 && ofPassage.size === 0) {
    // The statement negates what the passage does not mention.
    return there.size === 0
  }
  if (ofStatement.size === 0 && ofPassage.size === 0) return false
  return ![...ofStatement].some((i) => ofPassage.has(i))
}
