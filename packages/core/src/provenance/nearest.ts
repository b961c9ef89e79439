/** The nearest passages to a statement that no passage says: for a person to judge, never as its source. */
import { align } from './align.ts'
import { couldBeFrom } from './derive.ts'
import { weightOf } from './pairing.ts'
import type { PassageIndex, PassageSpan } from './passage-index.ts'
import type { Token } from './token.ts'
import { tokenText } from './token-text.ts'

const mostLooked = 10
const mostShown = 3
/** The most further ones that share no word. */
const mostCalculated = 2
/** Least share of the statement, by weight, that each further sentence must add. */
const leastNew = 0.05

/** Least share, relative to the best sentence, of a sentence that is shown as similar. */
const leastAlike = 0.6

interface Near {
  readonly ordinal: number
  /** Weight matched of each token of the statement. */
  readonly shares: readonly number[]
  readonly total: number
}

/**
 * Sentences that a number of the statement may be calculated from; then those that together have most of its words, starting with
 * the one that has most by itself; then those that have nearly as many. Sentences for a calculation that share no word come last.
 */
export function nearestTo(tokens: readonly Token[], index: PassageIndex): PassageSpan[] {
  const statement = tokenText(index.withNames(tokens))
  const near = index.search(tokens, mostLooked).map((ordinal): Near => {
    const { pairs } = align(statement, index.window(ordinal, ordinal)!, index.knows)
    const shares = pairs.map((one, i) => (one ? one.match.quality * weightOf(statement.tokens[i]!) : 0))
    return { ordinal, shares, total: sum(shares) }
  })
  const calculated = couldBeFrom(tokens, index)
  const all = sum(statement.tokens.map(weightOf))
  const covering = mostOf(near, calculated.ordinals, leastNew * all)
  const least = Math.max(0.01, leastAlike * Math.max(...near.map(({ total }) => total)))
  const alike = near.filter(({ total }) => total >= least).map(({ ordinal }) => ordinal)
  const said = [...covering, ...alike]
  const { ordinals, shared } = calculated
  // Those come last, and displace no other.
  const [first, last] = shared > 0 ? [[...ordinals, ...said], []] : [said, ordinals]
  const shown = [...new Set(first)].slice(0, mostShown)
  return [...new Set([...shown, ...last.slice(0, mostCalculated)])].map((ordinal) => index.spanOf(ordinal))
}

/** Greedily picks the sentence that adds most to those before it. @param shown sentences that are shown already */
function mostOf(near: readonly Near[], shown: readonly number[], least: number): number[] {
  const covered = new Set<number>()
  const cover = ({ shares }: Near) => {
    for (const [i, share] of shares.entries()) if (share > 0) covered.add(i)
  }
  for (const one of near) if (shown.includes(one.ordinal)) cover(one)
  const chosen: number[] = []
  while (chosen.length < mostShown) {
    let best: Near | undefined
    let most = least
    for (const one of near) {
      const brings = sum(one.shares.filter((_, i) => !covered.has(i)))
      if (brings > most + 1e-9) [best, most] = [one, brings]
    }
    if (!best) break
    chosen.push(best.ordinal)
    cover(best)
  }
  return chosen
}

const sum = (shares: readonly number[]): number => shares.reduce((total, share) => total + share, 0)
