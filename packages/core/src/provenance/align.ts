/**
 * Aligns a statement with a passage: which of its words match which there, and whether the passage then says the same. Extra
 * words in the passage cost nothing; numbers and names must all be there, and most other words. What speaks against a match is in
 * `conflicts.ts`.
 */
import { conflictOf } from './conflicts.ts'
import { anchorsIn, pair, weightOf } from './pairing.ts'
import type { Token } from './token.ts'
import type { Pairs, TokenText } from './token-text.ts'
import { isComparison, isKnownName, isLabel, isWanted } from './wanted.ts'

export interface Alignment {
  /** One for each token of the statement. */
  readonly pairs: Pairs
  readonly isSupported: boolean
  readonly missing: readonly Token[]
  /** Share of the other words that the passage has, by weight; 1 if there are none. */
  readonly covered: number
  /** Why the same words say something else there; not checked if names or numbers are missing. */
  readonly conflict: string | undefined
  /** Weight of the matched tokens. */
  readonly weight: number
  /** For choosing among passages. */
  readonly score: number
}

/** Least share of ordinary words that a passage must have, by its number of matching names and numbers. */
const leastCovered = [0.65, 0.55, 0.45, 0.3] as const

/** @param knows whether two names are adjacent elsewhere in the text */
export function align(
  statement: TokenText,
  passage: TokenText,
  knows: (one: string, other: string) => boolean = () => false,
): Alignment {
  const pairs = pair(statement, passage)
  const { tokens } = statement
  const missing = tokens.filter(
    (_, i) =>
      !pairs[i] &&
      (isWanted(tokens, i) || isComparison(tokens, i, passage)) &&
      !isKnownName(i, statement, passage, pairs, knows),
  )
  const isRow = passage.tokens[0]?.isHeader === true
  let [weight, matched, total] = [0, 0, 0]
  for (const [i, token] of tokens.entries()) {
    const quality = pairs[i]?.match.quality ?? 0
    total += weightOf(token) * quality
    if (token.kind !== 'word' || (!pairs[i] && isLabel(tokens, i))) continue
    weight += weightOf(token)
    matched += quality > 0 ? weightOf(token) : 0
  }
  const covered = weight === 0 ? 1 : matched / weight
  const conflict = missing.length === 0 ? conflictOf(statement, passage, pairs) : undefined
  const sentences = new Set(pairs.flatMap((one) => (one ? passage.sentences[one.at]! : []))).size
  const anchors = anchorsIn(statement, passage, pairs)
  const least = leastCovered[isRow ? 0 : Math.min(3, anchors)]!
  return {
    pairs,
    missing,
    covered,
    conflict,
    weight: total,
    isSupported: missing.length === 0 && covered >= least && conflict === undefined,
    score: total - 0.3 * sentences,
  }
}
