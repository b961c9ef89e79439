/** Counts sentences of one kind, such as rows of a table. */
import type { Operand } from './amounts.ts'
import { compare } from './compare.ts'
import { isOfDate } from './dates.ts'
import type { Token } from './token.ts'

const mostCounted = 50

/** Ordinals of the sentences, if exactly `claim` of them are of one kind. */
export function* countsOf(
  claim: number,
  counted: Token | undefined,
  rest: readonly Token[],
  operands: readonly Operand[],
): Generator<readonly number[]> {
  if (!Number.isInteger(claim) || claim < 2 || claim > mostCounted) return
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

/** A row of a table or a line of a log, which stands for one thing each. */
const isRecord = ({ text: { tokens } }: Operand): boolean =>
  tokens[0]?.isHeader === true ||
  (tokens.length > 0 && (isOfDate(tokens, 0) || tokens[0]!.key.startsWith('time:')))
