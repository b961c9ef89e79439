/** The mean of a metric, with its 95 % interval. */
import { gaffkeInterval, type ValueGroup } from './gaffke.ts'
import { proportion } from './proportion.ts'

export interface Estimate {
  readonly value: number
  /** Bounds of the 95 % interval. */
  readonly low: number
  readonly high: number
  /** Values that the mean is of. */
  readonly count: number
  /** Independent groups among them; fewer than `count` where one question was asked at several lengths. */
  readonly groups: number
  /** `square-and-add`: of several strata's own intervals. */
  readonly interval: 'wilson' | 'gaffke' | 'square-and-add'
}

/**
 * Mean of values in 0..1: with Wilson's interval where each group is one value of 0 or 1, with Gaffke's over groups otherwise.
 * NaN without values.
 * @param draws of Gaffke's interval. @default as it has
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
 * The mean of the strata's means: each task weighs the same, however many samples it has. Distances from the strata's means to
 * their bounds are squared and added, which supposes that strata are independent (Zou and Donner 2008). NaN without values.
 */
export function estimateMeanOverStrata(strata: readonly (readonly ValueGroup[])[]): Estimate {
  const all = strata.map((groups) => estimateMean(groups))
  if (all.length === 1) return all[0]!
  const total = (of: (estimate: Estimate) => number) => all.reduce((sum, one) => sum + of(one), 0)
  const value = total((one) => one.value) / all.length
  return {
    value,
    low: value - Math.sqrt(total((one) => (one.value - one.low) ** 2)) / all.length,
    high: value + Math.sqrt(total((one) => (one.high - one.value) ** 2)) / all.length,
    count: total((one) => one.count),
    groups: total((one) => one.groups),
    interval: 'square-and-add',
  }
}

const isBit = (value: number) => value === 0 || value === 1
