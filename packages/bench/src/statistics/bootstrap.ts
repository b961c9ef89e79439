/** The percentile bootstrap (Efron 1979) of a mean, with whole questions drawn, and strata that weigh the same. */
import { createRandom } from '@memagent/tasks'

export interface BootstrapOptions {
  /** @default 10000 */
  readonly resamples?: number
  /** The same seed and the same values give the same interval. @default 1 */
  readonly seed?: number
}

/**
 * Values that belong together, such as those of one question at several lengths: they are drawn together or not at all,
 * since they are not independent of each other.
 */
export type ValueGroup = readonly number[]

/**
 * Means of resamples, in ascending order. Of several strata the statistic is the mean of their means, and each is
 * resampled on its own.
 * @param strata [S][G][values], no stratum without a group, no group without a value
 */
export function bootstrapMeans(
  strata: readonly (readonly ValueGroup[])[],
  { resamples = 10_000, seed = 1 }: BootstrapOptions = {},
): Float64Array {
  const random = createRandom('bootstrap', seed)
  const means = new Float64Array(resamples)
  for (const groups of strata) {
    const sums = Float64Array.from(groups, (group) => group.reduce((sum, value) => sum + value, 0))
    const counts = Float64Array.from(groups, (group) => group.length)
    for (let i = 0; i < resamples; i += 1) {
      let [sum, count] = [0, 0]
      for (let drawn = 0; drawn < groups.length; drawn += 1) {
        const group = Math.floor(random.next() * groups.length)
        sum += sums[group]!
        count += counts[group]!
      }
      means[i]! += sum / count / strata.length
    }
  }
  return means.sort()
}

/** The value below which this share of the sorted values lies, interpolated linearly between neighbours. */
export function percentile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return below + (place - Math.floor(place)) * (above - below)
}
