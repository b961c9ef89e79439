/**
 * Why a passage with all the words of a statement does not say it: one of the two is negated, who does it to whom is swapped, or what
 * the statement puts together belongs to different things there.
 */
import type { Pairs, TokenText } from './token-text.ts'
import type { Token } from './tokens.ts'
import { areOpposedPrepositions, isPreposition, isPronoun, isVerbal } from './words/lookup.ts'

/** Undefined: nothing speaks against it. */
export function conflictOf(statement: TokenText, passage: TokenText, pairs: Pairs): string | undefined {
  if (isAnotherName(statement, passage, pairs)) return 'another name'
  if (isNegatedOtherwise(statement, passage, pairs)) return 'negation'
  if (isSwapped(statement, passage, pairs)) return 'swapped'
  if (rolesChange(statement, passage, pairs)) return 'roles'
  if (isSubstituted(statement, passage, pairs)) return 'another word'
  if (isTakenApart(statement, passage, pairs)) return 'apart'
  return undefined
}

/** "Anna Harlow" where the passage has Anna Mott and the Harlows. */
function isAnotherName({ tokens }: TokenText, passage: TokenText, pairs: Pairs): boolean {
  return tokens.some((token, i) => {
    const [one, other] = [pairs[i - 1], pairs[i]]
    if (!one || !other || token.gap !== ' ' || token.kind !== 'name' || tokens[i - 1]!.kind !== 'name')
      return false
    if (token.key.includes(':') || tokens[i - 1]!.key.includes(':')) return false
    const isName = [one, other].every(({ at }) => passage.tokens[at]!.kind === 'name')
    return isName && Math.abs(one.at - other.at) > 2
  })
}

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

function isNegatedOtherwise(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
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

/** The preposition of a word or of the name that it is part of. */
function roleOf(tokens: readonly Token[], at: number): string {
  for (let i = at - 1; i >= 0 && at - i <= 5; i--) {
    const { kind, word } = tokens[i]!
    if (/[,;.:!?\n]/.test(tokens[i + 1]!.gap)) return ''
    if (isPreposition(word)) return word
    if (
      kind === 'name'
        ? tokens[at]!.kind !== 'name'
        : kind === 'number'
          ? tokens[at]!.kind !== 'word' || i < at - 1
          : kind === 'word'
    )
      return ''
  }
  return ''
}

const core = new Set(['', 'by', 'from', 'to'])

/** X does it to Y here, and Y to X there. */
function isSwapped(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const { tokens, clauses } = statement
  for (const [v, verb] of pairs.entries()) {
    if (!verb || !isVerbal(tokens[v]!.word) || tokens[v]!.kind !== 'word') continue
    for (const x of around(v, -1, pairs, clauses)) {
      if (isVerbal(tokens[x]!.word) || !core.has(roleOf(tokens, x))) continue
      for (const y of around(v, 1, pairs, clauses)) {
        if (isVerbal(tokens[y]!.word)) continue
        const roleThere = roleOf(passage.tokens, pairs[y]!.at)
        if (
          roleThere === 'by' &&
          roleOf(tokens, y) !== 'by' &&
          pairs[x]!.at < verb.at &&
          verb.at < pairs[y]!.at
        )
          return true
        if (!core.has(roleOf(tokens, y))) continue
        const [px, py] = [pairs[x]!.at, pairs[y]!.at]
        if (subordinates(passage, Math.min(px, py), Math.max(px, py))) continue
        if (px < verb.at === py < verb.at || px === py) continue
        if (passage.sentences[px] !== passage.sentences[py]) continue
        if (!core.has(roleOf(passage.tokens, px)) || !core.has(roleOf(passage.tokens, py))) continue
        const agent = roleOf(tokens, y) === 'by' ? y : x
        const [former, latter] = px < py ? [x, y] : [y, x]
        const agentThere = roleOf(passage.tokens, Math.max(px, py)) === 'by' ? latter : former
        const isConverse = verb.match.how === 'converse'
        if ((agent !== agentThere) !== isConverse) return true
      }
    }
  }
  return false
}

const subordinators = new Set(
  'because since when while after before that who which as if although weil dass'.split(' '),
)
const subordinates = ({ tokens }: TokenText, from: number, to: number): boolean =>
  tokens.slice(from + 1, to).some(({ word }) => subordinators.has(word))

/** Matched places of the same clause on one side, the nearest four. */
function around(at: number, step: 1 | -1, pairs: Pairs, clauses: readonly number[]): number[] {
  const places: number[] = []
  for (let i = at + step; clauses[i] === clauses[at] && places.length < 4; i += step)
    if (pairs[i]) places.push(i)
  return places
}

/** "From A to B" beside "from B to A". */
function rolesChange({ tokens, clauses }: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const roles = pairs.map((found, i) =>
    found ? ([roleOf(tokens, i), roleOf(passage.tokens, found.at)] as const) : undefined,
  )
  for (const [i, one] of roles.entries()) {
    if (!one || one[0] === one[1]) continue
    if (areOpposedPrepositions(one[0], one[1])) return true
    for (let j = i + 1; clauses[j] === clauses[i]; j++) {
      const other = roles[j]
      if (!other || other[0] !== one[1] || other[1] !== one[0]) continue
      if (!core.has(one[0]) || !core.has(one[1])) continue
      const isSameKind = (tokens[i]!.kind === 'number') === (tokens[j]!.kind === 'number')
      const isPassive = one.includes('by') && one.includes('')
      if (isSameKind && !isPassive && passage.sentences[pairs[i]!.at] === passage.sentences[pairs[j]!.at])
        return true
    }
  }
  return false
}

/** Where the statement has a word that the passage lacks, the passage has another one in the same place. */
function isSubstituted(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const { tokens, clauses } = statement
  const used = new Set(pairs.flatMap((found) => (found ? found.at : [])))
  const content = (at: number) => passage.tokens[at] !== undefined && passage.tokens[at]!.kind !== 'function'
  /** Unmatched words strictly between two places of one clause. */
  const strangers = (from: number, to: number) => {
    let count = 0
    for (let at = from + 1; at < to; at++) if (content(at) && !used.has(at)) count++
    return count
  }
  /** The nearest matched word of the clause, over two unmatched ones at most. */
  const nearest = (i: number, step: 1 | -1): number | undefined => {
    for (let [at, left] = [i + step, 2]; clauses[at] === clauses[i] && left >= 0; at += step) {
      if (tokens[at]!.kind === 'function') continue
      if (pairs[at]) return at
      left--
    }
    return undefined
  }
  const borderOf = (at: number, step: 1 | -1) => {
    let border = at
    while (passage.clauses[border] === passage.clauses[at]) border += step
    return border
  }
  const endOf = (i: number) => {
    let at = i
    while (clauses[at] === clauses[i]) at++
    return at
  }
  for (const [i, token] of tokens.entries()) {
    if (pairs[i] || token.kind !== 'word') continue
    const [left, right] = [nearest(i, -1), nearest(i, 1)]
    const [l, r] = [left, right].map((at) => (at === undefined ? undefined : pairs[at]!.at))
    if (l !== undefined && r !== undefined && l < r && passage.clauses[l] === passage.clauses[r]) {
      if ([1, 2].includes(strangers(l, r))) return true
    } else if (l !== undefined) {
      const run = (right ?? endOf(i)) - left! - 1
      const most = Math.max(roleOf(tokens, i) === '' ? 1 : 2, run)
      const count = strangers(l, borderOf(l, 1))
      if (count > 0 && count <= most) return true
    } else if (r !== undefined) {
      if (strangers(borderOf(r, -1), r) === 1) return true
    }
    if (left !== undefined && left === i - 1 && tokens[left]!.kind === 'number' && l !== undefined) {
      const next = l + 1
      if (content(next) && !used.has(next) && passage.clauses[next] === passage.clauses[l]) return true
    }
  }
  return false
}

/** What one clause of the statement puts together stands in different clauses, each with something else in its place. */
function isTakenApart(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
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
        if (one === other) continue
        const isOfOneSentence =
          passage.sentences[pairs[here[0]!]!.at] === passage.sentences[pairs[there[0]!]!.at]
        for (const i of there) {
          // In another sentence, what it says of others does not matter.
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

/** The clause has something else of the kind of token i, in the same part. */
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
    if (token.kind === 'number') return rival.kind === 'number' && isSameSort(there, rival)
    if (token.kind === 'name' || there.kind === 'name') {
      if (rival.kind !== 'name' || sortOf(rival) !== sortOf(there)) return false
      const roleThere = roleOf(passage.tokens, at)
      return roleThere === role || (core.has(role) && core.has(roleThere))
    }
    if (rival.kind !== 'word') return false
    if (isVerbal(there.word) && isVerbal(rival.word) && takes(i, at, statement, passage, pairs)) return true
    const [after, afterRival] = [nextContent(passage, pairs[i]!.at), nextContent(passage, at)]
    return after !== undefined && after === afterRival
  })
}

/** The verb's object in the statement is that of the other verb in the passage. */
function takes(
  i: number,
  rival: number,
  { tokens, clauses }: TokenText,
  passage: TokenText,
  pairs: Pairs,
): boolean {
  const object = tokens.findIndex(({ kind }, at) => at > i && kind !== 'function')
  const found = clauses[object] === clauses[i] && roleOf(tokens, object) === '' ? pairs[object] : undefined
  return found !== undefined && passage.clauses[found.at] === passage.clauses[rival] && rival < found.at
}

const isPartOfUsedName = (at: number, { tokens }: TokenText, used: ReadonlySet<number>) =>
  tokens[at]!.kind === 'name' &&
  ((used.has(at - 1) && tokens[at - 1]!.kind === 'name' && tokens[at]!.gap === ' ') ||
    (used.has(at + 1) && tokens[at + 1]!.kind === 'name' && tokens[at + 1]!.gap === ' '))

/** Proper names are rivals of each other, months of months. */
const sortOf = ({ key }: Token): string =>
  /^(month|time|score):/.exec(key)?.[1] ?? (/day$/.test(key) ? 'day' : '')

const isYear = ({ values = [], unit }: Token) =>
  !unit && values.length === 1 && values[0]! >= 1000 && values[0]! <= 2100 && Number.isInteger(values[0])
const isSameSort = (one: Token, other: Token) =>
  isYear(one) === isYear(other) && one.unit?.kind === other.unit?.kind

function nextContent({ tokens, clauses }: TokenText, at: number): string | undefined {
  for (let i = at + 1; clauses[i] === clauses[at]; i++)
    if (tokens[i]!.kind !== 'function') return tokens[i]!.key
  return undefined
}

/** A name from another sentence must be who the sentence goes on about: named before it, and nobody since. */
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
  if (here.length === 1 && sortOf(tokens[at]!) !== '') return false
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
