/** The interval of a difference between two proportions that were measured on the same samples. */
import { proportion } from './proportion.ts'

/** Pairs by who was right. */
export interface PairTable {
  readonly both: number
  readonly firstOnly: number
  readonly secondOnly: number
  readonly neither: number
}

/**
 * 95 % interval of the second proportion minus the first. Newcombe's method 10 (Statistics in Medicine 17, 1998, 2635-2650):
 * Wilson's intervals of both, squared and added with their correlation; it keeps a width where no pair is discordant.
 * NaN without pairs.
 */
export function newcombeInterval({
  both,
  firstOnly,
  secondOnly,
  neither,
}: PairTable): [low: number, high: number] {
  const count = both + firstOnly + secondOnly + neither
  const first = proportion(both + firstOnly, count)
  const second = proportion(both + secondOnly, count)
  const product = (both + firstOnly) * (secondOnly + neither) * (both + secondOnly) * (firstOnly + neither)
  const raw = both * neither - firstOnly * secondOnly
  const corrected = raw > 0 ? Math.max(raw - count / 2, 0) : raw
  const correlation = product === 0 ? 0 : corrected / Math.sqrt(product)
  const reach = (a: number, b: number) => Math.sqrt(Math.max(0, a * a - 2 * correlation * a * b + b * b))
  const difference = (secondOnly - firstOnly) / count
  return [
    difference - reach(second.value - second.low, first.high - first.value),
    difference + reach(second.high - second.value, first.value - first.low),
  ]
}
