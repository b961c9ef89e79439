/** The mean of a metric, with its 95 % interval. */
import { gaffkeInterval, type ValueGroup } from './gaffke.ts'
import { proportion } from './proportion.ts'

export interface Estimate {
  readonly value: number
  /** Bounds of the 95 % interval. */
  readonly low: number
  readonly high: number
  /** Number of values. */
  readonly count: number
  /** Number of independent groups; fewer than `count` when questions were asked at several lengths. */
  readonly groups: number
  /** `square-and-add`: from the intervals of several strata. */
  readonly interval: 'wilson' | 'gaffke' | 'square-and-add'
}

/**
 * Mean of values in 0..1: with Wilson's interval if each group is one value of 0 or 1, otherwise with Gaffke's over groups.
 * NaN without values.
 * @param draws for Gaffke's interval. @default its own
 */
export function estimateMean(groups: readonly ValueGroup[], draws?: number): Estimate {
  const count = groups.reduce((sum, group) => sum + group.length, 0)
  const value = groups.flat().reduce((sum, one) => sum + one, 0) / count
  const about = { value, count, groups: groups.length }
  if (groups.every(([first, ...more]) => isBit(first!) && more.length === 0)) {
    const { low, high } = proportion(value * groups.length, groups.length)
    return { ...about, low, high, interval: 'wilson' }
  }
  const [low, high] = gaffkeInterval(groups, draws)
  return { ...about, low, high, interval: 'gaffke' }
}

/**
 * The mean of the strata's means: every task has the same weight, however many samples it has. Distances from the strata's
 * means to their bounds are squared and added, assuming independent strata (Zou and Donner 2008). NaN without values.
 */
export function estimateMeanOverStrata(strata: readonly (readonly ValueGroup[])[]): Estimate {
  const all = strata.map((groups) => estimateMean(groups))
  if (all.length === 1) return all[0]!
  const total = (of: (estimate: Estimate) => number) => all.reduce((sum, one) => sum + of(one), 0)
  return {
    ...meanOfIntervals(all),
    count: total((one) => one.count),
    groups: total((one) => one.groups),
    interval: 'square-and-add',
  }
}

/** A value with the bounds of its 95 % interval. */
export type Interval = Pick<Estimate, 'value' | 'low' | 'high'>

/** Mean of independent values; their distances to the bounds are squared and added. NaN without values. */
export function meanOfIntervals(all: readonly Interval[]): Interval {
  const total = (of: (one: Interval) => number) => all.reduce((sum, one) => sum + of(one), 0)
  const value = total((one) => one.value) / all.length
  return {
    value,
    low: value - Math.sqrt(total((one) => (one.value - one.low) ** 2)) / all.length,
    high: value + Math.sqrt(total((one) => (one.high - one.value) ** 2)) / all.length,
  }
}

const isBit = (value: number) => value === 0 || value === 1
