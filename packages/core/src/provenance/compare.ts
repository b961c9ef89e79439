/** Whether two tokens say the same, and how sure that is. */
import type { Token } from './tokens.ts'
import { areConverse, areOpposites, areSynonyms } from './words/lookup.ts'

/** `opposite`: only if one of the two is negated. `converse`: subject and object change places. */
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

/** Undefined: they say different things. */
export function compare(one: Token, other: Token): Match | undefined {
  if (one.kind === 'number' || other.kind === 'number') return compareNumbers(one, other)
  if (one.key === other.key) return same
  if (one.key.includes(':') || other.key.includes(':')) return undefined
  if (areConverse(one.key, other.key)) return converse
  if (areOpposites(one.key, other.key)) return opposite
  if (areSynonyms(one.key, other.key)) return similar
  return isInflected(one, other) ? inflected : undefined
}

function compareNumbers(one: Token, other: Token): Match | undefined {
  if (!one.values || !other.values || !one.isOrdinal !== !other.isOrdinal) return undefined
  const [unit, otherUnit] = [one.unit, other.unit]
  if (unit && otherUnit && unit.kind !== otherUnit.kind) return undefined
  const factor = unit && otherUnit ? unit.factor / otherUnit.factor : 1
  const isEqual = one.values.some((value) =>
    other.values!.some((otherValue) => areEqual(value * factor, otherValue)),
  )
  if (!isEqual) return undefined
  return unit?.kind === otherUnit?.kind ? same : barely
}

export const areEqual = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other))

/** Endings differ: for languages whose stems are not known. Names in Latin letters are not inflected. */
function isInflected(one: Token, other: Token): boolean {
  const [a, b] = [one.word, other.word]
  const isName = one.kind === 'name' && other.kind === 'name'
  if (isName && /^[a-z]/.test(a)) return false
  const shorter = Math.min(a.length, b.length)
  if (shorter < 5 || /\d/.test(a) || /\d/.test(b)) return false
  let common = 0
  while (common < shorter && a[common] === b[common]) common++
  return common >= 5 && common >= 0.72 * Math.max(a.length, b.length)
}
