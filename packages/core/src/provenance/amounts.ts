/** The numbers, dates and times of a few sentences, as amounts to calculate with. */

import type { Token } from './token.ts'
import type { TokenText } from './token-text.ts'

/** Kinds: `days` are calendar days, `clock` is seconds of a day, `year` a year alone, `count` a number without a unit. */
export interface Amount {
  /** In the base unit of its kind, such as grams or seconds; a cent is 0.01. */
  readonly value: number
  readonly kind: string
  /** Key of the word after it, which it counts if it has no unit. */
  readonly of: string
  readonly ordinal: number
  /** Index of its first token in the sentence. */
  readonly at: number
}

export interface Operand {
  readonly ordinal: number
  readonly text: TokenText
}

export function amountsIn({ ordinal, text: { tokens } }: Operand): Amount[] {
  const amounts: Amount[] = []
  for (let at = 0; at < tokens.length; at++) {
    const date = dateAt(tokens, at)
    if (date) {
      amounts.push({ ...date, of: '', ordinal, at })
      if (date.year !== undefined) amounts.push({ value: date.year, kind: 'year', of: '', ordinal, at })
      at += date.used - 1
      continue
    }
    for (const one of amountsAt(tokens, at)) amounts.push({ ...one, ordinal, at })
  }
  return amounts.flatMap((one, i) => {
    const before = one.kind === 'count' && one.of === '' ? amounts[i - 1] : undefined
    // "1,200 pounds, and another 300"
    if (before && currency.test(before.kind)) return [one, { ...one, kind: before.kind }]
    // "ten votes to two"
    const isBeside = tokens[one.at - 1]?.word === 'to'
    return isBeside && before?.kind === 'count' ? [{ ...one, of: before.of }] : [one]
  })
}

const currency = /^[A-Z]{3}$/

/** Every amount that one token may be. */
export function amountsAt(tokens: readonly Token[], at: number): Omit<Amount, 'ordinal' | 'at'>[] {
  const token = tokens[at]!
  const clock = /^time:(\d+)(?::(\d+))?$/.exec(token.key)
  if (clock) return [{ value: Number(clock[1]) * 60 + Number(clock[2] ?? 0), kind: 'clock', of: '' }]
  if (token.kind !== 'number') return []
  const value = token.values![0]!
  if (token.units) return token.units.map(({ kind, factor }) => ({ value: value * factor, kind, of: '' }))
  const of = countedBy(tokens, at)
  if ((of === '' || tokens[at - 1]?.isHeader) && !isYear(token) && isNumbered(tokens, at)) return []
  return [{ value, kind: isYear(token) ? 'year' : 'count', of }]
}

/** "Node 16", "chapter 5": which one, not how many. */
const numbered =
  /^(?:version|build|release|order|number|no|nr|id|page|room|line|type|step|level|floor|node|class|part|flight|route|gate|article|section)$/
const isNumbered = (tokens: readonly Token[], at: number): boolean => {
  const before = tokens[at - 1]
  return (
    before !== undefined &&
    /^\s$/.test(tokens[at]!.gap) &&
    !/[.,]/.test(tokens[at]!.word) &&
    (before.kind === 'name' || numbered.test(before.word)) &&
    !(before.isHeader && !numbered.test(before.word)) &&
    !before.key.startsWith('month:')
  )
}

export const isYear = ({ values, units, word, isOrdinal }: Token): boolean =>
  !units &&
  !isOrdinal &&
  Number.isInteger(values?.[0]) &&
  values![0]! >= 1000 &&
  values![0]! <= 2100 &&
  /^\d{4}/.test(word)

/** The word after a number, skipping one that describes it; in a table, the name of the column. */
export function countedBy(tokens: readonly Token[], at: number): string {
  if (tokens[at - 1]?.isHeader) return tokens[at - 1]!.key
  for (let i = at + 1; i <= at + 3 && tokens[i] && /^[\s-]*$/.test(tokens[i]!.gap); i++) {
    if (tokens[i]!.kind === 'word') return tokens[i]!.key
    if (tokens[i]!.kind !== 'function' || /^(?:and|in|to|from|than|for|on)$/.test(tokens[i]!.word)) break
  }
  return ''
}

interface CalendarDate {
  readonly value: number
  readonly kind: 'days'
  readonly year: number | undefined
  readonly used: number
}

/** "3 March 1914", "March 3, 1914", "May 1847", and year, month and day of a numeric date. */
export function dateAt(tokens: readonly Token[], at: number): CalendarDate | undefined {
  let year: number | undefined
  let month: number | undefined
  let dayOfMonth: number | undefined
  let used = 0
  for (let i = at; i < at + 4 && tokens[i]; i++) {
    const token = tokens[i]!
    if (i > at && !/^(?:[\s,.]*|.*\d.*)$/.test(token.gap)) break
    const named = /^month:(\d+)$/.exec(token.key)
    if (named && month === undefined) month = Number(named[1])
    else if (token.kind === 'number' && isYear(token) && year === undefined) year = token.values![0]!
    else if (isDay(token) && dayOfMonth === undefined && month === undefined && year === undefined)
      dayOfMonth = token.values![0]!
    else if (isDay(token) && dayOfMonth === undefined && month !== undefined) dayOfMonth = token.values![0]!
    else if (token.kind === 'function' && /^(?:of|de|the)$/.test(token.word) && i > at) continue
    else break
    used = i - at + 1
  }
  if (month === undefined || (dayOfMonth === undefined && year === undefined)) return undefined
  const value = Date.UTC(year ?? 2001, month - 1, dayOfMonth ?? 1) / 1000
  return { value, kind: 'days', year, used }
}

const isDay = ({ kind, values, units }: Token): boolean =>
  kind === 'number' && !units && Number.isInteger(values?.[0]) && values![0]! >= 1 && values![0]! <= 31
