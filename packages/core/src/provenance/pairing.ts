/** Matches tokens of a statement with tokens of a passage. */
import { compare } from './compare.ts'
import type { Token } from './token.ts'
import type { Pairing, Pairs, TokenText } from './token-text.ts'

export const weightOf = ({ kind, word }: Token): number =>
  kind === 'function' ? 0 : kind !== 'word' ? 2 : word.length <= 2 ? 0.5 : 1

/**
 * Matches each token with one of the passage: in the clause that has most of its own clause, or else as near to it as possible.
 */
export function pair(statement: TokenText, passage: TokenText): (Pairing | undefined)[] {
  const candidates = statement.tokens.map((token) => candidatesFor(token, passage.tokens))
  const homes = homesOf(statement, passage, candidates)
  const taken = new Set<number>()
  const pairs: (Pairing | undefined)[] = []
  let last = -1
  for (const [i, found] of candidates.entries()) {
    const home = homes.get(statement.clauses[i]!) ?? 0
    const cost = ({ at, match }: Pairing) =>
      (taken.has(at) ? 20 : 0) +
      8 * Math.min(3, Math.abs(passage.clauses[at]! - home)) +
      8 * (1 - match.quality) +
      (at > last ? 0 : 0.5)
    const best = found.reduce<Pairing | undefined>(
      (least, one) => (least === undefined || cost(one) < cost(least) ? one : least),
      undefined,
    )
    // A word that occurs twice in the statement may match one place; a number may not.
    pairs.push(best && taken.has(best.at) && statement.tokens[i]!.kind === 'number' ? undefined : best)
    if (pairs[i]) {
      taken.add(best!.at)
      last = best!.at
    }
  }
  return pairs
}

const mostCandidates = 12

function candidatesFor(token: Token, among: readonly Token[]): Pairing[] {
  if (token.kind === 'function') return []
  const found: Pairing[] = []
  for (const [at, other] of among.entries()) {
    if (other.kind === 'function') continue
    const match = compare(token, other)
    if (match) found.push({ at, match })
    if (found.length >= mostCandidates) break
  }
  return found
}

/** For each clause of the statement, the clause of the passage that has most of it. */
function homesOf(
  statement: TokenText,
  passage: TokenText,
  candidates: readonly (readonly Pairing[])[],
): ReadonlyMap<number, number> {
  const weights = new Map<number, Map<number, number>>()
  for (const [i, found] of candidates.entries()) {
    const clause = statement.clauses[i]!
    const here = weights.get(clause) ?? new Map<number, number>()
    weights.set(clause, here)
    const best = new Map<number, number>()
    for (const { at, match } of found) {
      const of = passage.clauses[at]!
      best.set(of, Math.max(best.get(of) ?? 0, match.quality * weightOf(statement.tokens[i]!)))
    }
    for (const [of, weight] of best) here.set(of, (here.get(of) ?? 0) + weight)
  }
  return new Map([...weights].map(([clause, here]) => [clause, heaviest(here)]))
}

export const heaviest = (weights: ReadonlyMap<number, number>): number =>
  [...weights].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0] as const)[0]

/**
 * Matched names and numbers, if all matches are in one sentence of the passage, otherwise 0. A name of several words counts once.
 */
export function anchorsIn({ tokens }: TokenText, { sentences }: TokenText, pairs: Pairs): number {
  if (new Set(pairs.flatMap((found) => (found ? sentences[found.at]! : []))).size !== 1) return 0
  return tokens.filter(({ kind, gap }, i) => {
    const goesOn = gap === ' ' && tokens[i - 1]?.kind === 'name' && pairs[i - 1]
    return pairs[i] && (kind === 'number' || (kind === 'name' && !goesOn))
  }).length
}
