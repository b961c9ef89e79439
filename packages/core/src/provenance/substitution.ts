/** Words of a statement in whose place the passage has another one. */
import { roleOf } from './roles.ts'
import type { Pairs, TokenText } from './token-text.ts'

/** Where the statement has a word that the passage lacks, the passage has another one in the same place. */
export function isSubstituted(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
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
