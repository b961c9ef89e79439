/** Splits tokens into clauses, as far as punctuation and conjunctions tell: one clause says one thing. */
import type { Token } from './token.ts'
import { isAuxiliary, isVerbal } from './words/lookup.ts'

export const conjunctions = new Set('and but while whereas or und aber et mais y pero и а'.split(' '))
const hard = /[.!?;\n。！？；|]/
const soft = /[,:(，、：–—]|\s-\s/

/** The clause of each token. A clause with fewer than two things joins the next or the previous one. */
export function clausesOf(tokens: readonly Token[]): readonly number[] {
  const clauses: number[] = []
  /** Start of each clause, and whether the border before it is hard. */
  const begins: { at: number; isHard: boolean }[] = []
  for (const [at, { gap, word }] of tokens.entries()) {
    const isHard = at === 0 || hard.test(gap)
    if (isHard) begins.push({ at, isHard: true })
    else if ((soft.test(gap) || conjunctions.has(word)) && !isListed(tokens, begins.at(-1)!.at, at))
      begins.push({ at, isHard: false })
  }
  const kept: number[] = []
  for (const [i, { at, isHard }] of begins.entries()) {
    const last = kept.at(-1)
    const nextIsHard = begins[i + 1]?.isHard ?? true
    const end = begins[i + 1]?.at ?? tokens.length
    const isThinBefore = last !== undefined && isThin(tokens, last, at)
    const isThinLast = nextIsHard && isThin(tokens, at, end)
    if (isHard || !(isThinBefore || isThinLast)) kept.push(at)
  }
  let clause = -1
  for (let at = 0; at < tokens.length; at++) {
    if (kept[clause + 1] === at) clause++
    clauses.push(clause)
  }
  return clauses
}

/** Between two names of one list: "Odile Vasseur and her brother Marc", but not "Crane taught Mott and Harlow left". */
function isListed(tokens: readonly Token[], from: number, border: number): boolean {
  if (tokens[border - 1]!.kind !== 'name' || /[:(]/.test(tokens[border]!.gap)) return false
  let at = border
  while (tokens[at] && tokens[at]!.kind !== 'name' && at < border + 3) {
    if (tokens[at]!.kind === 'number' || isVerbal(tokens[at]!.word)) return false
    at++
  }
  if (tokens[at]?.kind !== 'name') return false
  while (tokens[at]?.kind === 'name') at++
  const isVerb = (token: Token | undefined) =>
    token !== undefined && (isVerbal(token.word) || isAuxiliary(token.word))
  return !isVerb(tokens[at]) || !tokens.slice(from, border).some(isVerb)
}

/** Too little to say anything by itself, such as a list of names. */
const isThin = (tokens: readonly Token[], from: number, to: number): boolean =>
  things(tokens, from, to) < 2 ||
  tokens.slice(from, to).every(({ kind }) => kind === 'function' || kind === 'name')

/** A name of several words counts as one thing, and so does a number. */
function things(tokens: readonly Token[], from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const { kind } = tokens[at]!
    if (kind === 'function') continue
    if (kind === 'name' && at > from && tokens[at - 1]!.kind === 'name' && !soft.test(tokens[at]!.gap))
      continue
    count++
  }
  return count
}
