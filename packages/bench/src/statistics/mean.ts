/** The mean of a metric, with its 95 % interval. */
import { type BootstrapOptions, bootstrapMeans, percentile, type ValueGroup } from './bootstrap.ts'
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
  readonly interval: 'wilson' | 'bootstrap'
}

/**
 * Mean of values in 0..1. Wilson's interval where each group is one value of 0 or 1, the percentile bootstrap over groups
 * otherwise. Groups that are all alike have no spread to resample: Wilson's interval for that mean and number of groups
 * then, which is the wider choice, as no values of this mean vary more than zeros and ones. NaN without values.
 */
export function estimateMean(groups: readonly ValueGroup[], options?: BootstrapOptions): Estimate {
  return estimateMeanOverStrata(groups.length === 0 ? [] : [groups], options)
}

/** The mean of the strata's means: each task weighs the same, however many samples it has. Intervals as `estimateMean`. */
export function estimateMeanOverStrata(
  strata: readonly (readonly ValueGroup[])[],
  options?: BootstrapOptions,
): Estimate {
  const [means, groups] = [strata.map(meanOf), strata.flat()]
  const value = means.reduce((sum, mean) => sum + mean, 0) / strata.length
  const count = groups.reduce((sum, group) => sum + group.length, 0)
  const isBinary =
    strata.length === 1 && groups.every(([first, ...more]) => isBit(first!) && more.length === 0)
  if (count === 0 || isBinary || strata.every(isUniform)) {
    const { low, high } = proportion(value * groups.length, groups.length)
    return { value, low, high, count, groups: groups.length, interval: 'wilson' }
  }
  const sorted = bootstrapMeans(strata, options)
  const [low, high] = [percentile(sorted, 0.025), percentile(sorted, 0.975)]
  return { value, low, high, count, groups: groups.length, interval: 'bootstrap' }
}

const isBit = (value: number) => value === 0 || value === 1

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const meanOf = (groups: readonly ValueGroup[]) =>
  total(groups.map(total)) / total(groups.map(({ length }) => length))

/** Whether every resample has the same mean. */
const isUniform = (groups: readonly ValueGroup[]) => {
  const mean = meanOf(groups)
  return groups.every((group) => Math.abs(total(group) / group.length - mean) < 1e-12)
}
