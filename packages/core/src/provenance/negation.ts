/** Whether a statement is negated and its passage not, or the other way round. */
import type { Pairs, TokenText } from './token-text.ts'

/** Places of the first two words that each negation is about. */
function negated({ tokens, clauses }: TokenText): ReadonlySet<number> {
  const places = new Set<number>()
  for (const [i, { isNegator }] of tokens.entries()) {
    if (!isNegator || tokens[i + 1]?.word === 'only') continue
    for (let [at, left] = [i + 1, 2]; left > 0 && clauses[at] === clauses[i]; at++) {
      if (tokens[at]!.kind === 'function' || tokens[at]!.word === 'longer' || tokens[at]!.word === 'more')
        continue
      places.add(at)
      left--
    }
  }
  return places
}

export function isNegatedOtherwise(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  // A name or a number alone claims nothing that could be negated.
  if (
    statement.tokens.length === 1 ||
    statement.tokens.every(({ kind }) => kind === 'name' || kind === 'number')
  ) {
    return false
  }
  const [here, there] = [negated(statement), negated(passage)]
  const ofStatement = new Set<number>()
  const ofPassage = new Set<number>()
  for (const [i, found] of pairs.entries()) {
    if (!found) continue
    const [isHere, isThere] = [here.has(i), there.has(found.at)]
    if (found.match.how === 'opposite') {
      if (isHere === isThere) return true
      return false
    }
    if (isHere) ofStatement.add(i)
    if (isThere) ofPassage.add(i)
  }
  if (here.size > 0 && ofStatement.size === 0 && ofPassage.size === 0) {
    // A statement that negates what the passage does not say at all.
    return there.size === 0
  }
  if (ofStatement.size === 0 && ofPassage.size === 0) return false
  return ![...ofStatement].some((i) => ofPassage.has(i))
}
