/** Who does what to whom, from where and to where, as far as prepositions and word order tell. */

import type { Token } from './token.ts'
import type { Pairs, TokenText } from './token-text.ts'
import { areOpposedPrepositions, isPreposition, isPronoun, isVerbal } from './words/lookup.ts'

/** The preposition of a word, or of the name it belongs to. */
export function roleOf(tokens: readonly Token[], at: number): string {
  for (let i = at - 1; i >= 0 && at - i <= 5; i--) {
    const { kind, word } = tokens[i]!
    if (/[,;.:!?\n]/.test(tokens[i + 1]!.gap)) return ''
    if (isPreposition(word)) return word
    if (
      kind === 'name'
        ? tokens[at]!.kind !== 'name'
        : kind === 'number'
          ? tokens[at]!.kind !== 'word' || i < at - 1
          : kind === 'word' && !isTitle(tokens, i)
    )
      return ''
  }
  return ''
}

/** "Goalkeeper Petty", "the brothers Hugo and Wilhelm". */
const isTitle = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.kind === 'name' && tokens[at + 1]!.gap === ' ' && !isVerbal(tokens[at]!.word)

/** Possible roles of a subject or an object. */
export const coreRoles = new Set(['', 'by', 'from', 'to'])

/** X acts on Y here, and Y on X there. */
export function isSwapped(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const { tokens } = statement
  for (const [v, verb] of pairs.entries()) {
    if (!verb || tokens[v]!.kind !== 'word' || !isVerbal(tokens[v]!.word)) continue
    for (const x of around(v, -1, pairs, statement)) {
      if (tokens[x]!.kind === 'number') continue
      if (isVerbal(tokens[x]!.word) || !coreRoles.has(roleOf(tokens, x))) continue
      for (const y of around(v, 1, pairs, statement)) {
        if (tokens[y]!.kind === 'number' || isVerbal(tokens[y]!.word)) continue
        const roleThere = roleOf(passage.tokens, pairs[y]!.at)
        if (
          roleThere === 'by' &&
          roleOf(tokens, y) !== 'by' &&
          pairs[x]!.at < verb.at &&
          verb.at < pairs[y]!.at
        )
          return true
        if (!coreRoles.has(roleOf(tokens, y))) continue
        const [px, py] = [pairs[x]!.at, pairs[y]!.at]
        if (subordinates(passage, Math.min(px, py), Math.max(px, py))) continue
        if (px < verb.at === py < verb.at || px === py || px === verb.at || py === verb.at) continue
        if (passage.sentences[px] !== passage.sentences[py]) continue
        if (!coreRoles.has(roleOf(passage.tokens, px)) || !coreRoles.has(roleOf(passage.tokens, py))) continue
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

/** "She taught Crane" against "Crane taught her". */
export function isPronounSwapped({ tokens }: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const isPronounAt = (of: readonly Token[], at: number) => of[at] !== undefined && isPronoun(of[at].word)
  return pairs.some((verb, v) => {
    if (!verb || tokens[v]!.kind !== 'word' || verb.match.how === 'converse') return false
    const [isBehind, isBefore] = [isPronounAt(tokens, v - 1), isPronounAt(tokens, v + 1)]
    const [isBehindThere, isBeforeThere] = [verb.at - 1, verb.at + 1].map((at) =>
      isPronounAt(passage.tokens, at),
    )
    return pairs.some((name, n) => {
      if (name === undefined || tokens[n]!.kind !== 'name') return false
      if (n > v) return isBehind && isBeforeThere && name.at < verb.at
      return isBefore && isBehindThere && name.at > verb.at
    })
  })
}

const subordinators = new Set(
  'because since when while after before that who whom which as if although weil dass'.split(' '),
)
const subordinates = ({ tokens }: TokenText, from: number, to: number): boolean =>
  tokens.slice(from + 1, to).some(({ word }) => subordinators.has(word))

/** The nearest four matched tokens of the clause on one side. */
function around(at: number, step: 1 | -1, pairs: Pairs, { tokens, clauses }: TokenText): number[] {
  const places: number[] = []
  for (let i = at + step; clauses[i] === clauses[at] && places.length < 4; i += step) {
    if (subordinators.has(tokens[i]!.word)) break
    if (pairs[i]) places.push(i)
  }
  return places
}

/** "From A to B" against "from B to A". */
export function rolesChange({ tokens, clauses }: TokenText, passage: TokenText, pairs: Pairs): boolean {
  const roles = pairs.map((found, i) =>
    found ? ([roleOf(tokens, i), roleOf(passage.tokens, found.at)] as const) : undefined,
  )
  for (const [i, one] of roles.entries()) {
    if (!one || one[0] === one[1]) continue
    if (areOpposedPrepositions(one[0], one[1])) return true
    for (let j = i + 1; clauses[j] === clauses[i]; j++) {
      const other = roles[j]
      if (!other || other[0] !== one[1] || other[1] !== one[0]) continue
      if (!coreRoles.has(one[0]) || !coreRoles.has(one[1])) continue
      const isSameKind = (tokens[i]!.kind === 'number') === (tokens[j]!.kind === 'number')
      const isPassive = one.includes('by') && one.includes('')
      if (isSameKind && !isPassive && passage.sentences[pairs[i]!.at] === passage.sentences[pairs[j]!.at])
        return true
    }
  }
  return false
}

/** Proper names can replace each other, months only months. */
export const sortOf = ({ key }: Token): string =>
  /^(month|time|half-day):/.exec(key)?.[1] ?? (/day$/.test(key) ? 'day' : '')
