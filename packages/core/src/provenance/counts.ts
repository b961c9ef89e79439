/** How many names, items, or sentences of one kind there are. */
import type { Operand } from './amounts.ts'
import { compare } from './compare.ts'
import { isOfDate } from './dates.ts'
import type { Token } from './token.ts'

const mostCounted = 50

/** Ordinals of sentences in which so many are counted. */
export function* countsOf(
  claim: number,
  counted: Token | undefined,
  rest: readonly Token[],
  operands: readonly Operand[],
): Generator<readonly number[]> {
  if (!Number.isInteger(claim) || claim < 2 || claim > mostCounted) return
  for (const { text, ordinal } of operands.slice(0, 6)) {
    if (listsIn(text.tokens).includes(claim)) yield [ordinal]
  }
  const others = rest.filter((token) => token !== counted)
  const has = ({ text }: Operand, token: Token) => text.tokens.some((other) => compare(token, other))
  const needed = others.filter((token) => operands.some((operand) => has(operand, token)))
  if (needed.length === 0 && counted === undefined) return
  const alike = operands.filter((operand) =>
    needed.length > 0
      ? needed.every((token) => has(operand, token))
      : isRecord(operand) && has(operand, counted!),
  )
  if (alike.length === claim) yield alike.map(({ ordinal }) => ordinal)
}

/** A row of a table, or a line of a log: one for each thing. */
const isRecord = ({ text: { tokens } }: Operand): boolean =>
  tokens[0]?.isHeader === true ||
  (tokens.length > 0 && (isOfDate(tokens, 0) || tokens[0]!.key.startsWith('time:')))

/** Items of each "A, B and C". */
function listsIn(tokens: readonly Token[]): number[] {
  const lists: number[] = []
  let [items, words, hasEnd] = [1, 0, false]
  for (const [i, { gap, word, kind }] of tokens.entries()) {
    const isJoint = /^(?:and|or|und|et|y|but)$/.test(word)
    if (i > 0 && !hasEnd && (/^,\s*$/.test(gap) || isJoint) && words <= 4) {
      if (!(isJoint && /,/.test(gap) && words === 0)) items++
    } else if (i > 0 && (/[,;:.]/.test(gap) || words > 4)) {
      lists.push(items)
      ;[items, hasEnd] = [1, false]
    }
    if (isJoint) hasEnd = true
    if (/,/.test(gap) || isJoint) words = 0
    if (kind !== 'function') words++
  }
  return [...lists, items].filter((count) => count >= 2)
}
