/** Whether two tokens say the same, and how certain that is. */
import type { Token } from './token.ts'
import { areConverse, areOpposites, areSynonyms } from './words/lookup.ts'

/** `opposite` is a match only if one of the two is negated; in a `converse`, subject and object change places. */
export interface Match {
  readonly how: 'same' | 'similar' | 'opposite' | 'converse'
  /** At most 1. */
  readonly quality: number
}

const same: Match = { how: 'same', quality: 1 }
const barely: Match = { how: 'same', quality: 0.95 }
const similar: Match = { how: 'similar', quality: 0.8 }
const inflected: Match = { how: 'similar', quality: 0.7 }
const converse: Match = { how: 'converse', quality: 0.8 }
const opposite: Match = { how: 'opposite', quality: 0.5 }

/** Undefined if they say different things. */
export function compare(one: Token, other: Token): Match | undefined {
  if (one.kind === 'number' || other.kind === 'number') return compareNumbers(one, other)
  if (one.key === other.key) return same
  if (one.key.includes(':') || other.key.includes(':'))
    return areSameTime(one.key, other.key) ? same : undefined
  if (areConverse(one.key, other.key)) return converse
  // The South Gate is not the North Gate, even if one of the two is negated.
  if (areOpposites(one.key, other.key))
    return one.kind === 'name' && other.kind === 'name' ? undefined : opposite
  if (areSynonyms(one.key, other.key)) return similar
  return isInflected(one, other) ? inflected : undefined
}

function compareNumbers(one: Token, other: Token): Match | undefined {
  if (!one.values || !other.values || !one.isOrdinal !== !other.isOrdinal) return undefined
  if (one.isLabel || other.isLabel) return asWritten(one) === asWritten(other) ? same : undefined
  for (const [factor, quality] of factorsOf(one, other)) {
    const isEqual = one.values.some((value) =>
      other.values!.some((otherValue) => areEqual(value * factor, otherValue)),
    )
    if (isEqual) return quality
  }
  return undefined
}

/** Factors that convert the first to a unit of the second. */
function factorsOf(
  { units = [] }: Token,
  { units: others = [] }: Token,
): readonly (readonly [number, Match])[] {
  if (units.length === 0 || others.length === 0) return [[1, units.length === others.length ? same : barely]]
  return units.flatMap((unit) =>
    others.flatMap((other) =>
      unit.kind === other.kind ? [[unit.factor / other.factor, same] as const] : [],
    ),
  )
}

/** Whether both have a unit of the same kind, or neither has one. */
export const areAlike = (
  { units = [] }: Pick<Token, 'units'>,
  { units: others = [] }: Pick<Token, 'units'>,
): boolean =>
  units.length === 0 || others.length === 0
    ? units.length === others.length
    : units.some(({ kind }) => others.some((other) => other.kind === kind))

/** Whole numbers must be equal: each digit of a thirteen-digit account number counts. */
const areEqual = (one: number, other: number): boolean =>
  Number.isInteger(one) && Number.isInteger(other)
    ? one === other
    : Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other))

/** Version 2.0 is version 2, and separators in a long number do not count. */
const asWritten = ({ word }: Token) =>
  word
    .replace(/[\s'’]/g, '')
    .replace(/[,.](?=\d{3}(?:[,.]|$))/g, (sign) => (word.length > 16 ? '' : sign))
    .replace(/^(\d+)\.0$/, '$1')

/** A time without seconds matches one with seconds; half past two may be in the afternoon. */
function areSameTime(one: string, other: string): boolean {
  const [a, b] = [minutesOf(one), minutesOf(other)]
  if (a === undefined || b === undefined) return false
  if (one.startsWith('half') || other.startsWith('half')) return a % 720 === b % 720
  const [ofOne, ofOther] = [one.split(':')[2], other.split(':')[2]]
  return a === b && (ofOne === undefined || ofOther === undefined || ofOne === ofOther)
}

const minutesOf = (key: string): number | undefined => {
  const match = /^(?:time|half-day):(\d+)/.exec(key)
  return match ? Number(match[1]) : undefined
}

/** Endings with which English derives nouns, verbs and adjectives from a stem: "applied" and "application". */
const derived =
  /^(?:|e|s|es|d|ed|y|ies|ied|ing|ings|er|ers|or|ors|al|ion|ions|ation|ations|cation|cations|ment|ments|ance|ence|ive|able|ant|ants|ly)$/

/** Words that differ in their endings, for languages without known stems. Names in Latin letters are not inflected. */
function isInflected(one: Token, other: Token): boolean {
  const [a, b] = [one.word, other.word]
  const isName = one.kind === 'name' && other.kind === 'name'
  if (isName && /^[a-z]/.test(a)) return false
  const shorter = Math.min(a.length, b.length)
  if (shorter < 5 || /\d/.test(a) || /\d/.test(b)) return false
  let common = 0
  while (common < shorter && a[common] === b[common]) common++
  if (common < 5) return false
  return (
    common >= 0.72 * Math.max(a.length, b.length) || [a, b].every((word) => derived.test(word.slice(common)))
  )
}
