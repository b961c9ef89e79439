/**
 * Statements that no passage says and that follow from several: sums, differences, counts, and which of some is the most. Numbers alone
 * would fit by chance, so a word of the statement must ask for the operation, and the rest of it must stand in the passages.
 */
import { weightOf } from './align.ts'
import { areEqual, compare } from './compare.ts'
import { countedBy, type Operand, operationsFor } from './operations.ts'
import type { PassageIndex, PassageSpan } from './passage-index.ts'
import type { Support } from './support.ts'
import { type TokenText, tokenText } from './token-text.ts'
import type { Token } from './tokens.ts'
import { isCue } from './words/cues.ts'

const mostSentences = 24
/** Share of its other words that the sentences together must have. */
const leastCovered = 0.6

export function derivationOf(tokens: readonly Token[], index: PassageIndex): Support | undefined {
  const statement = tokenText(tokens)
  const all = index
    .search(tokens, mostSentences)
    .map((ordinal) => ({ ordinal, text: index.window(ordinal, ordinal)! }))
  // A sentence may be held as a passage and as the context of another one.
  const sentences = [...new Map(all.toReversed().map((one) => [wordsOf(one.text), one])).values()].reverse()
  const numbers = tokens.filter(
    (token, i) => token.kind === 'number' && !token.isOrdinal && tokens[i - 1]?.word !== 'the',
  )
  const unsaid = numbers.filter((number) => !sentences.some(({ text }) => has(text, number)))
  // A number that stands elsewhere may still be counted or calculated here.
  const elsewhere = numbers.filter((number) => sentences[0] && !says(sentences[0].text, tokens, number))
  const claims: readonly (Token | undefined)[] =
    unsaid.length === 1 ? unsaid : unsaid.length === 0 ? [...elsewhere, undefined] : []
  for (const claim of claims) {
    const isGroupSize = (token: Token) =>
      token.kind === 'number' && !numbers.includes(token) && !token.isOrdinal
    const rest = tokens.filter(
      (token) => token !== claim && token.kind !== 'function' && !isCue(token) && !isGroupSize(token),
    )
    const least = claim && !unsaid.includes(claim) ? 1 : leastCovered
    if (
      rest.length === 0 ||
      !isCovered(
        rest,
        sentences.map(({ text }) => text),
        least,
      )
    )
      continue
    const operands = sentences.map(({ ordinal, text }) => operandOf(text, ordinal, rest))
    for (const { result, used } of operationsFor(statement, claim, operands, rest)) {
      if (claim && !claim.values!.some((value) => areEqual(value, result))) continue
      const passages = [...new Set(used)].sort((a, b) => a - b).map((ordinal) => spanOf(ordinal, index))
      return { passages, score: 0 }
    }
  }
  return undefined
}

const wordsOf = ({ tokens }: TokenText): string => tokens.map(({ word }) => word).join(' ')

const has = ({ tokens }: TokenText, token: Token): boolean =>
  tokens.some((other) => compare(token, other) !== undefined)

/** With the same thing counted. */
const says = ({ tokens }: TokenText, statement: readonly Token[], number: Token): boolean =>
  tokens.some((other, i) => {
    if (compare(number, other) === undefined) return false
    const [here, there] = [countedBy(statement, statement.indexOf(number)), countedBy(tokens, i)]
    return here === there || here === '' || there === ''
  })

function isCovered(rest: readonly Token[], texts: readonly TokenText[], least: number): boolean {
  let [weight, covered] = [0, 0]
  for (const token of rest) {
    const isThere = texts.some((text) => has(text, token))
    if (!isThere && token.kind !== 'word') return false
    weight += weightOf(token)
    covered += isThere ? weightOf(token) : 0
  }
  return covered >= least * weight
}

const operandOf = (text: TokenText, ordinal: number, rest: readonly Token[]): Operand => ({
  ordinal,
  text,
  shared: rest.filter((token) => has(text, token)).length,
})

function spanOf(ordinal: number, index: PassageIndex): PassageSpan {
  const { section, start, end } = index.sentence(ordinal)
  return { section, start, end }
}
