/** Whether a statement presents as done what its passage only plans, asks for or thinks possible. */
import type { Pairs, TokenText } from './token-text.ts'
import { isPastForm } from './words/lookup.ts'

const modals = new Set(
  'may might could should would can if unless will shall must expect expects expected plan plans planned hope hopes intends wants'.split(
    ' ',
  ),
)

/** "He came back" against "he should come back". */
export function isOnlyPossible(statement: TokenText, passage: TokenText, pairs: Pairs): boolean {
  if (statement.tokens.some(({ word }) => modals.has(word))) return false
  return pairs.some((found, i) => {
    const [here, there] = [statement.tokens[i]!, found && passage.tokens[found.at]!]
    if (!found || !there || here.kind !== 'word' || !isPastForm(here.word) || isPastForm(there.word))
      return false
    return [1, 2, 3].some(
      (back) =>
        modals.has(passage.tokens[found.at - back]?.word ?? '') &&
        passage.clauses[found.at - back] === passage.clauses[found.at],
    )
  })
}
