/** The numeric claims of a statement. */
import { type Amount, amountsAt, dateAt, isYear } from './amounts.ts'
import type { Token } from './token.ts'

/** A claim that the text may not state itself: a number, a date or a duration. */
export interface Claim {
  readonly tokens: readonly Token[]
  readonly amounts: readonly Pick<Amount, 'value' | 'kind'>[]
  /** How far a result may be off. */
  readonly tolerance: number
}

/** "The three warehouses hold": which ones, not how many there are. */
export const isSelection = (tokens: readonly Token[], { tokens: [token] }: Claim): boolean =>
  token!.units === undefined &&
  /^(?:the|these|first|last|both|all)$/.test(tokens[tokens.indexOf(token!) - 1]?.word ?? '')

export function claimsIn(tokens: readonly Token[]): Claim[] {
  const claims: Claim[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const date = dateAt(tokens, at)
    if (date && date.used > 1) {
      const own = tokens.slice(at, at + date.used).filter(({ kind }) => kind !== 'function')
      claims.push({
        tokens: own,
        amounts: [{ value: date.value, kind: 'days' }],
        tolerance: own.length < 3 ? 27 * 86400 : 0,
      })
      at += date.used - 1
    } else if (token.kind === 'number' && !token.isOrdinal && token.word !== 'twice' && !isOne(token)) {
      claims.push({
        tokens: [token],
        amounts: amountsAt(tokens, at),
        tolerance: toleranceOf(tokens, at),
      })
    }
  }
  return claims
}

const about = new Set(
  'about around roughly approximately nearly almost some ca circa rund environ'.split(' '),
)

/** In the base unit: half of the last digit of a percentage, all of it after "about"; otherwise exact. */
function toleranceOf(tokens: readonly Token[], at: number): number {
  const { units, values, word, factor = 1 } = tokens[at]!
  if (isYear(tokens[at]!)) return 0
  const digits = /[.,](\d{1,2})$/.exec(word)?.[1]?.length ?? 0
  const isAbout = [at - 1, at - 2].some((i) => about.has(tokens[i]?.word ?? ''))
  const isRounded = units?.[0]?.kind === '%' || isAbout
  if (!isRounded) return 1e-6 * Math.max(1, Math.abs(values![0]!))
  return (isAbout ? 1 : 0.5) * 10 ** -digits * (units?.[0]?.factor ?? 1) * factor
}

const isOne = ({ values, units }: Token): boolean => !units && values![0] === 1
