/** What comes nearest to a statement that no passage says: for a person to judge, never as its source. */
import { align } from './align.ts'
import { weightOf } from './pairing.ts'
import type { PassageIndex, PassageSpan } from './passage-index.ts'
import type { Token } from './token.ts'
import { tokenText } from './token-text.ts'

/** Sentences looked at. */
const mostLooked = 10
/** Sentences shown. */
const mostShown = 3
/** Share of the statement, by weight, that each further sentence must bring. */
const leastNew = 0.05

/** The sentences that together have most of its words, the first of them most by itself; none where none shares a word. */
export function nearestTo(tokens: readonly Token[], index: PassageIndex): PassageSpan[] {
  const statement = tokenText(index.withNames(tokens))
  const all = statement.tokens.reduce((sum, token) => sum + weightOf(token), 0)
  const sentences = index.search(tokens, mostLooked).map((at) => {
    const { pairs } = align(statement, index.window(at, at)!, index.knows)
    return {
      at,
      shares: pairs.map((one, i) => (one ? one.match.quality * weightOf(statement.tokens[i]!) : 0)),
    }
  })
  const covered = new Set<number>()
  const shown: PassageSpan[] = []
  while (shown.length < mostShown) {
    let best: (typeof sentences)[number] | undefined
    let most = leastNew * all
    for (const one of sentences) {
      const brings = one.shares.reduce((sum, share, i) => sum + (covered.has(i) ? 0 : share), 0)
      if (brings > most + 1e-9) [best, most] = [one, brings]
    }
    if (!best) break
    shown.push(index.spanOf(best.at))
    for (const [i, share] of best.shares.entries()) if (share > 0) covered.add(i)
  }
  return shown
}
