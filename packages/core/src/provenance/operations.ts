/** What numbers of a few sentences come to. Each result names the sentences that it comes from. */

import { compare } from './compare.ts'
import type { TokenText } from './token-text.ts'
import type { Token } from './tokens.ts'
import { hasCue } from './words/cues.ts'

export interface Operand {
  readonly ordinal: number
  readonly text: TokenText
  /** Words of the statement that it has. */
  readonly shared: number
}

export interface Result {
  readonly result: number
  readonly used: readonly number[]
}

interface Quantity {
  readonly value: number
  readonly token: Token
  readonly ordinal: number
  /** What it counts: its unit, or the word behind it. */
  readonly of: string
}

/** Numbers that are combined at most. */
const mostQuantities = 24

/** @param claim the number that the statement has and the text has not; undefined: it claims an order */
export function* operationsFor(
  statement: TokenText,
  claim: Token | undefined,
  operands: readonly Operand[],
  rest: readonly Token[],
): Generator<Result> {
  const { tokens } = statement
  const quantities = operands
    .filter(({ shared }) => shared > 0)
    .flatMap(quantitiesIn)
    .slice(0, mostQuantities)
  if (!claim) return yield* orders(tokens, operands, quantities)
  const wanted = ofClaim(tokens, claim)
  yield* sums(tokens, claim, wanted, quantities, operands)
  yield* differences(tokens, claim, quantities)
  if (hasCue(tokens, 'ratio')) yield* ratios(claim, quantities)
  yield* counts(tokens, claim, operands, rest)
}

function quantitiesIn({ ordinal, text: { tokens } }: Operand): Quantity[] {
  return tokens.flatMap((token, i) => {
    if (token.kind !== 'number') return timeOf(token, ordinal)
    const value = token.values![0]!
    return { value: value * (token.unit?.factor ?? 1), token, ordinal, of: countedBy(tokens, i) }
  })
}

/** Minutes of the day. */
function timeOf(token: Token, ordinal: number): Quantity[] {
  const minutes = /^time:(\d+)$/.exec(token.key)?.[1]
  return minutes === undefined ? [] : [{ value: Number(minutes) * 60, token, ordinal, of: 'clock' }]
}

export function countedBy(tokens: readonly Token[], i: number): string {
  const { unit, values } = tokens[i]!
  if (unit) return unit.kind
  if (isYear(values![0]!, tokens[i]!)) return 'year'
  if (tokens[i + 1]?.key.startsWith('month:') || tokens[i - 1]?.key.startsWith('month:')) return 'day'
  const next = tokens[i + 1]
  return next && next.kind === 'word' && /^[\s-]*$/.test(next.gap) ? next.key : ''
}

const isYear = (value: number, { unit, word }: Token) =>
  !unit && Number.isInteger(value) && value >= 1000 && value <= 2100 && /^\d{4}/.test(word)

const ofClaim = (tokens: readonly Token[], claim: Token) => countedBy(tokens, tokens.indexOf(claim))

function scaled({ values, unit }: Token, result: number): number {
  return unit && values ? result / unit.factor : result
}

function* sums(
  tokens: readonly Token[],
  claim: Token,
  wanted: string,
  quantities: readonly Quantity[],
  operands: readonly Operand[],
): Generator<Result> {
  const isAsked = hasCue(tokens, 'sum')
  const addable = quantities.filter(({ of }) => of !== 'year' && of !== 'day' && of !== 'clock')
  const best = operands[0]?.ordinal
  for (const [i, one] of addable.entries()) {
    for (const other of addable.slice(i + 1)) {
      const isOneSentence = one.ordinal === other.ordinal && one.ordinal === best
      if (!isAsked && !isOneSentence) continue
      if (one.of !== other.of && !isOneSentence && one.of !== '' && other.of !== '' && wanted !== '') continue
      yield { result: scaled(claim, one.value + other.value), used: [one.ordinal, other.ordinal] }
    }
  }
  // A year, and how long after or before it.
  for (const one of quantities.filter(({ of }) => of === 'year')) {
    for (const span of quantities.filter(({ of }) => of === 'months')) {
      if (Math.abs(span.ordinal - one.ordinal) > 1 || wanted !== 'year') continue
      yield { result: one.value + span.value / 12, used: [one.ordinal, span.ordinal] }
      yield { result: one.value - span.value / 12, used: [one.ordinal, span.ordinal] }
    }
  }
  if (!isAsked) return
  for (const of of new Set(addable.map((one) => one.of))) {
    const group = addable.filter((one) => one.of === of)
    if (group.length < 3) continue
    yield {
      result: scaled(
        claim,
        group.reduce((sum, { value }) => sum + value, 0),
      ),
      used: group.map(({ ordinal }) => ordinal),
    }
    // One of each sentence.
    const firsts = [...new Map(group.toReversed().map((one) => [one.ordinal, one])).values()]
    if (firsts.length >= 3 && firsts.length < group.length) {
      yield {
        result: scaled(
          claim,
          firsts.reduce((sum, { value }) => sum + value, 0),
        ),
        used: firsts.map(({ ordinal }) => ordinal),
      }
    }
  }
}

function* differences(
  tokens: readonly Token[],
  claim: Token,
  quantities: readonly Quantity[],
): Generator<Result> {
  if (!hasCue(tokens, 'difference')) return
  for (const [i, one] of quantities.entries()) {
    for (const other of quantities.slice(i + 1)) {
      if (one.of !== other.of && !(one.of === '' || other.of === '')) continue
      const result = Math.abs(one.value - other.value)
      if (result === 0) continue
      const used = [one.ordinal, other.ordinal]
      if (one.of === 'year' || one.of === 'day') yield { result, used }
      else yield { result: scaled(claim, result), used }
      const [raw, otherRaw] = [one.token.values?.[0], other.token.values?.[0]]
      if (raw !== undefined && otherRaw !== undefined) yield { result: Math.abs(raw - otherRaw), used }
    }
  }
}

function* ratios({ values }: Token, quantities: readonly Quantity[]): Generator<Result> {
  for (const one of quantities) {
    for (const other of quantities) {
      if (one === other || other.value === 0 || one.of !== other.of) continue
      if (values?.[0] === one.value / other.value)
        yield { result: one.value / other.value, used: [one.ordinal, other.ordinal] }
    }
  }
}

/** How many names, items or sentences of one kind there are. */
function* counts(
  tokens: readonly Token[],
  claim: Token,
  operands: readonly Operand[],
  rest: readonly Token[],
): Generator<Result> {
  const at = tokens.indexOf(claim)
  const counted = tokens.slice(at + 1).find(({ kind }) => kind === 'word' || kind === 'name')
  if (!counted || claim.unit || !Number.isInteger(claim.values?.[0]) || claim.values![0]! > 50) return
  for (const { text, ordinal } of operands.slice(0, 6)) {
    const items = longestList(text.tokens)
    if (items >= 2) yield { result: items, used: [ordinal] }
  }
  const others = rest.filter((token) => token !== counted && !token.isFirst && token.kind === 'word')
  const alike = operands.filter(
    ({ text }) =>
      text.tokens.some((token) => compare(counted, token)) &&
      others.every((other) => text.tokens.some((token) => compare(other, token))),
  )
  if (alike.length >= 2) yield { result: alike.length, used: alike.map(({ ordinal }) => ordinal) }
}

/** Items of "A, B and C". */
function longestList(tokens: readonly Token[]): number {
  let [longest, items, words] = [0, 1, 0]
  let hasEnd = false
  for (const [i, { gap, word, kind }] of tokens.entries()) {
    if (i > 0 && !hasEnd && (/^,\s*$/.test(gap) || word === 'and') && words <= 3) items++
    else if (i > 0 && (/[,;:.]/.test(gap) || words > 3)) {
      if (hasEnd) longest = Math.max(longest, items)
      ;[items, hasEnd] = [1, false]
    }
    if (word === 'and') hasEnd = true
    if (/,/.test(gap) || word === 'and') words = 0
    if (kind !== 'function') words++
  }
  return Math.max(longest, hasEnd ? items : 0)
}

/** Which of some has the greatest or the smallest number, or comes first. */
function* orders(
  tokens: readonly Token[],
  operands: readonly Operand[],
  quantities: readonly Quantity[],
): Generator<Result> {
  const subject = tokens.find(({ kind }) => kind === 'name' || kind === 'word')
  if (!subject) return
  const [isMost, isLeast] = [hasCue(tokens, 'most'), hasCue(tokens, 'least')]
  if (isMost || isLeast) {
    const own = operands.find(({ text }) => text.tokens.some((token) => compare(subject, token)))
    const mine = quantities.find(({ ordinal }) => ordinal === own?.ordinal)
    if (!mine) return
    const rivals = quantities.filter(({ of, ordinal }) => of === mine.of && ordinal !== mine.ordinal)
    const isBeyond = rivals.every(({ value }) => (isMost ? mine.value > value : mine.value < value))
    if (rivals.length > 0 && isBeyond)
      yield { result: 0, used: [mine, ...rivals].map(({ ordinal }) => ordinal) }
    return
  }
  const at = tokens.findIndex(({ word }) => word === 'before' || word === 'after')
  const [one, other] = [tokens.slice(0, at), tokens.slice(at)].map((part) =>
    firstQuantity(part, operands, quantities),
  )
  if (at < 0 || !one || !other || one === other || one.of !== other.of) return
  if (one.value < other.value === (tokens[at]!.word === 'before') && one.value !== other.value) {
    yield { result: 0, used: [one.ordinal, other.ordinal] }
  }
}

/** The first number behind the last thing that the part names. */
function firstQuantity(
  part: readonly Token[],
  operands: readonly Operand[],
  quantities: readonly Quantity[],
): Quantity | undefined {
  for (const named of part.filter(({ kind }) => kind === 'word')) {
    for (const { text, ordinal } of operands) {
      const at = text.tokens.findIndex((token) => compare(named, token))
      if (at < 0) continue
      const next = quantities.find((one) => one.ordinal === ordinal && text.tokens.indexOf(one.token) > at)
      if (next) return next
    }
  }
  return undefined
}
