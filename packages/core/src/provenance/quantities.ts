/** A number with everything that belongs to it: its sign, words, multiplier and unit. */
import { digitsAt, type Numeral, numberWordsAt } from './numerals.ts'
import { isNear, type Piece } from './pieces.ts'
import type { Made, Read } from './token.ts'
import { fractions, multipliers, type Unit, unitsOf } from './words/numbers.ts'

const currencySign = /^(?:[€$£]|eur|usd|gbp|chf)$/i

export function quantityAt(pieces: readonly Piece[], at: number, text: string): Read | undefined {
  const first = pieces[at]!
  const currency =
    currencySign.test(first.text) && /^\d/.test(pieces[at + 1]?.text ?? '') ? unitsOf(first.text) : undefined
  const found = numeralAt(pieces, at + (currency ? 1 : 0)) ?? oneAt(pieces, at)
  if (!found) return undefined
  let { next, values } = found
  const again = behindSame(pieces, next, text, values)
  if (again !== undefined) next = again
  const scaled = multiplied(pieces, next, text, values, currency !== undefined)
  ;({ next, values } = scaled)
  let units = currency
  if (!currency && !found.isOrdinal) {
    const behind = unitBehind(pieces, next, text, found.isFraction === true, again !== undefined)
    if (behind) ({ units, next } = behind)
    const part = behind && partBehind(pieces, next)
    if (part) {
      values = values.map((value) => value + part.value)
      next = part.next
    }
  }
  if (found.isFraction && !units && /^quarter$/i.test(first.text)) return undefined
  const isPercent = unitsOf(pieces[next - 1]!.text)?.[0]?.kind === '%'
  if (!isPercent && isNegative(pieces, at, text)) values = values.map((value) => -value)
  const end = pieces[next - 1]!.end
  const number: Made = {
    start: first.start,
    end,
    word: first.text.toLowerCase(),
    key: `${values[0]}`,
    kind: 'number',
    values,
    factor: scaled.factor,
    units,
    isOrdinal: found.isOrdinal,
  }
  return { tokens: [number], used: next - at }
}

/** "5 and a half", "two and one-half". */
function numeralAt(pieces: readonly Piece[], at: number): Numeral | undefined {
  const found = digitsAt(pieces, at) ?? (pieces[at] ? numberWordsAt(pieces, at) : undefined)
  const part = found && !found.isOrdinal && !found.isFraction ? partBehind(pieces, found.next) : undefined
  return part ? { values: found!.values.map((value) => value + part.value), next: part.next } : found
}

/** "Thirty-six (36) months" gives the number twice. */
function behindSame(
  pieces: readonly Piece[],
  at: number,
  text: string,
  values: readonly number[],
): number | undefined {
  const again = pieces[at] && pieces[at - 1] ? digitsAt(pieces, at) : undefined
  if (!again?.values.some((value) => values.includes(value))) return undefined
  const [before, behind] = [text.slice(pieces[at - 1]!.end, pieces[at]!.start), text.slice(pieces[at]!.end)]
  return /^\s*\($/.test(before) && behind.startsWith(')') ? again.next : undefined
}

/** "An hour and a half"; "an hour" alone counts nothing. */
function oneAt(pieces: readonly Piece[], at: number): Numeral | undefined {
  const isOne = /^an?$/i.test(pieces[at]!.text) && unitsOf(pieces[at + 1]?.text ?? '', false) !== undefined
  return isOne && partBehind(pieces, at + 2) ? { values: [1], next: at + 1 } : undefined
}

/** "And a half", "and three quarters", after a number or its unit. */
function partBehind(pieces: readonly Piece[], at: number): { value: number; next: number } | undefined {
  const [and, count, part] = [0, 1, 2].map((i) => pieces[at + i]?.text.toLowerCase())
  if (and !== 'and') return undefined
  if (count === 'three' && part === 'quarters') return { value: 0.75, next: at + 3 }
  const value = count === 'a' || count === 'one' ? fractions.get(part ?? '') : undefined
  return value === undefined ? undefined : { value, next: at + 3 }
}

function multiplied(
  pieces: readonly Piece[],
  from: number,
  text: string,
  given: readonly number[],
  isMoney: boolean,
): { values: readonly number[]; next: number; factor: number } {
  let [values, next, total] = [given, from, 1]
  for (; isNear(pieces, next, text); next++) {
    const factor = multiplierOf(pieces, next, isMoney)
    if (factor === undefined) break
    values = values.map((value) => value * factor)
    total *= factor
    // "4 billion 100 million"
    const more = digitsAt(pieces, next + 1)
    const factorOfMore = more && !more.isOrdinal ? multiplierOf(pieces, more.next, isMoney) : undefined
    if (more && factorOfMore !== undefined && factorOfMore < factor && isNear(pieces, next + 1, text)) {
      values = values.map((value) => value + more.values[0]! * factorOfMore)
      next = more.next
    }
  }
  return { values, next, factor: total }
}

function multiplierOf(pieces: readonly Piece[], at: number, isMoney: boolean): number | undefined {
  const { text, start } = pieces[at] ?? { text: '', start: 0 }
  const isAttached = pieces[at - 1]?.end === start
  if (/^(?:M|B|T)$/.test(text)) return isAttached || isMoney ? { M: 1e6, B: 1e9, T: 1e12 }[text] : undefined
  if (/^(?:m|b)$/.test(text)) return isMoney ? { m: 1e6, b: 1e9 }[text] : undefined
  if (/^(?:k|K)$/.test(text)) return isAttached ? 1000 : undefined
  return multipliers.get(text.toLowerCase())
}

/** "Half an hour", "a quarter of a litre", "30 degrees Celsius"; in "20 to 91 percent" the unit belongs to both. */
function unitBehind(
  pieces: readonly Piece[],
  from: number,
  text: string,
  isFraction: boolean,
  isBehindBracket: boolean,
): { units: readonly Unit[]; next: number } | undefined {
  let at = from
  if (isFraction) while (/^(?:a|an|of|the)$/i.test(pieces[at]?.text ?? '')) at++
  // "Half of the $6 million"
  const isBeside = isBehindBracket
    ? /^\)[\s-]{0,2}$/.test(text.slice(pieces[at - 1]!.end, pieces[at]?.start))
    : isNear(pieces, at, text)
  if (!pieces[at] || !isBeside || (isFraction && /^\d/.test(pieces[at + 1]?.text ?? ''))) return undefined
  const two = isNear(pieces, at + 1, text)
    ? unitsOf(`${pieces[at]!.text} ${pieces[at + 1]!.text}`)
    : undefined
  if (two) return { units: two, next: at + 2 }
  const attached = pieces[at - 1]!.end === pieces[at]!.start
  const units = unitsOf(pieces[at]!.text, attached)
  return units && { units, next: at + 1 }
}

function isNegative(pieces: readonly Piece[], at: number, text: string): boolean {
  const { start } = pieces[at]!
  const before = text.slice(Math.max(0, start - 2), start)
  return /^minus$/i.test(pieces[at - 1]?.text ?? '') || /(?:^|[^\p{L}\p{N}%°)])[-−–]$/u.test(before)
}
