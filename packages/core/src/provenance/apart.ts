/** Whether a statement combines what belongs to different things in the passage. */
import { isYear } from './amounts.ts'
import { areAlike } from './compare.ts'
import { isOfDate } from './dates.ts'
import { coreRoles, roleOf, sortOf } from './roles.ts'
import type { Token } from './token.ts'
import type { Pairs, TokenText } from './token-text.ts'
import { isPronoun, isVerbal } from './words/lookup.ts'

/** "Anna Harlow" if the passage has Anna Mott and the Harlows. */
export function isAnotherName({ tokens }: TokenText, passage: TokenText, pairs: Pairs): boolean {
  return tokens.some((token, i) => {
    const [one, other] = [pairs[i - 1], pairs[i]]
    if (!one || !other || token.gap !== ' ' || token.kind !== 'name' || tokens[i - 1]!.kind !== 'name')
      return false
    if (token.key.includes(':') || tokens[i - 1]!.key.includes(':')) return false
    const isName = [one, other].every(({ at }) => passage.tokens[at]!.kind === 'name')
    return isName && Math.abs(one.at - other.at) > 2
  })
}

/** Whether what one clause of the statement combines is in different clauses there, each with something else in its place. */
export function isTakenApart(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const clauses = new Map<number, number[]>()
  for (const [i, found] of pairs.entries()) {
    if (found) clauses.set(statement.clauses[i]!, [...(clauses.get(statement.clauses[i]!) ?? []), i])
  }
  for (const members of clauses.values()) {
    const used = new Set(members.map((i) => pairs[i]!.at))
    const places = new Map<number, number[]>()
    for (const i of members) {
      const clause = passage.clauses[pairs[i]!.at]!
      places.set(clause, [...(places.get(clause) ?? []), i])
    }
    if (places.size < 2) continue
    for (const [one, here] of places) {
      for (const [other, there] of places) {
        if (one === other || isBorrowed([here, there], [one, other], statement, passage, used)) continue
        const isOfOneSentence =
          passage.sentences[pairs[here[0]!]!.at] === passage.sentences[pairs[there[0]!]!.at]
        for (const i of there) {
          // If it is another sentence, what it says of others does not matter.
          if (
            (isOfOneSentence || here.length >= there.length) &&
            hasRival(i, one, statement, passage, pairs, used)
          )
            return true
          if (isOfAnother(i, one, here, passage, pairs, used)) return true
        }
      }
    }
  }
  return false
}

/**
 * "Jewellery is covered up to $5,000 and cash up to $800": the second clause takes its verb from the first, and has its own
 * subject.
 */
function isBorrowed(
  [here, there]: readonly [readonly number[], readonly number[]],
  [from, by]: readonly [number, number],
  { tokens }: TokenText,
  passage: TokenText,
  used: ReadonlySet<number>,
): boolean {
  if (from > by || here.length > 2 || !here.every((i) => tokens[i]!.kind === 'word')) return false
  if (there.every((i) => tokens[i]!.kind === 'number')) return false
  if (here.length > 1 && hasOther(passage, by, used)) return false
  return !passage.tokens.some(
    ({ word, kind }, at) => passage.clauses[at] === by && kind === 'word' && isVerbal(word),
  )
}

/** Whether the clause has a word of its own in place of the borrowed one: "Park owns the migration, Reid the monitoring". */
const hasOther = ({ tokens, clauses }: TokenText, clause: number, used: ReadonlySet<number>): boolean =>
  tokens.some(({ kind }, at) => clauses[at] === clause && kind === 'word' && !used.has(at))

/** Whether the clause has another thing of the same kind and role as token i. */
function hasRival(
  i: number,
  clause: number,
  statement: TokenText,
  passage: TokenText,
  pairs: Pairs,
  used: ReadonlySet<number>,
): boolean {
  const token = statement.tokens[i]!
  const there = passage.tokens[pairs[i]!.at]!
  const role = roleOf(statement.tokens, i)
  return passage.tokens.some((rival, at) => {
    if (passage.clauses[at] !== clause || used.has(at)) return false
    if (isPartOfUsedName(at, passage, used)) return false
    if (token.kind === 'number')
      return (
        rival.kind === 'number' &&
        isSameSort(there, rival) &&
        (rival.units !== undefined || !isOfDate(passage.tokens, at))
      )
    if (token.kind === 'name' || there.kind === 'name') {
      if (rival.kind !== 'name' || sortOf(rival) !== sortOf(there)) return false
      const roleThere = roleOf(passage.tokens, at)
      return roleThere === role || (coreRoles.has(role) && coreRoles.has(roleThere))
    }
    if (rival.kind !== 'word') return false
    if (role !== '' && !isVerbal(rival.word) && roleOf(passage.tokens, at) === role) return true
    const [after, afterRival] = [nextContent(passage, pairs[i]!.at), nextContent(passage, at)]
    return after !== undefined && after === afterRival
  })
}

const isPartOfUsedName = (at: number, { tokens }: TokenText, used: ReadonlySet<number>) =>
  tokens[at]!.kind === 'name' &&
  ((used.has(at - 1) && tokens[at - 1]!.kind === 'name' && tokens[at]!.gap === ' ') ||
    (used.has(at + 1) && tokens[at + 1]!.kind === 'name' && tokens[at + 1]!.gap === ' '))

/** The second of two numbers may leave out the unit of both. */
export const isSameSort = (one: Token, other: Token) =>
  isYear(one) === isYear(other) && (areAlike(one, other) || !other.units)

function nextContent({ tokens, clauses }: TokenText, at: number): string | undefined {
  for (let i = at + 1; clauses[i] === clauses[at]; i++)
    if (tokens[i]!.kind !== 'function') return tokens[i]!.key
  return undefined
}

/** A name from another sentence must be the subject carried on: named before this sentence, with nobody named since. */
function isOfAnother(
  i: number,
  clause: number,
  here: readonly number[],
  passage: TokenText,
  pairs: Pairs,
  used: ReadonlySet<number>,
): boolean {
  const at = pairs[i]!.at
  const first = pairs[here[0]!]!.at
  const { tokens, sentences, clauses } = passage
  if (tokens[at]!.kind !== 'name' || sentences[at] === sentences[first]) return false
  const begin = tokens.findIndex((_, place) => sentences[place] === sentences[first])
  const goesOn = isPronoun(tokens[begin]!.word)
  if (at > first) return (goesOn && clauses[at] !== clause) || here.every((member) => i < member)
  return tokens.some(
    (other, place) =>
      place > at &&
      place < begin &&
      sentences[place] !== sentences[at] &&
      other.kind === 'name' &&
      sortOf(other) === '' &&
      !used.has(place) &&
      roleOf(tokens, place) === '',
  )
}
