/**
 * Confidence interval for the mean of values in 0..1 of any distribution (Gaffke 2005; Learned-Miller and Thomas 2019, arXiv
 * 1905.06208). For zeros and ones it is Clopper and Pearson's. Unlike the bootstrap's, it keeps its 95 % with as few as eight
 * values, with skewed ones, and if all are equal, as counted by `interval-coverage.test.ts`.
 */
import { createRandom } from '@memagent/tasks'

/**
 * Values that belong together, such as one question at several lengths: they are not independent, so they are weighted
 * together.
 */
export type ValueGroup = readonly number[]

/** Number of random weightings for the bounds. */
const defaultDraws = 10_000

/** 65,536 equally likely values of an exponential distribution; weights are drawn from them. */
const exponentials = Float64Array.from({ length: 2 ** 16 }, (_, i) => -Math.log((i + 0.5) / 2 ** 16))

/**
 * 95 % interval of the mean. The groups get random weights (Dirichlet), together with one more group that stands for
 * unseen values: the least possible ones for the low bound, the greatest for the high one. NaN without groups.
 * The same values give the same bounds, in any order.
 * @param groups none empty
 */
export function gaffkeInterval(
  groups: readonly ValueGroup[],
  draws = defaultDraws,
): [low: number, high: number] {
  const random = createRandom('gaffke', 1)
  const sorted = groups
    .map((group) => ({ sum: group.reduce((sum, value) => sum + value, 0), size: group.length }))
    .sort((a, b) => a.sum - b.sum || a.size - b.size)
  const sums = Float64Array.from(sorted, ({ sum }) => sum)
  const sizes = Float64Array.from(sorted, ({ size }) => size)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const unseenSize = total / groups.length
  const [lows, highs] = [new Float64Array(draws), new Float64Array(draws)]
  for (let draw = 0; draw < draws; draw++) {
    let bits = Math.floor(random.next() * 2 ** 32)
    const unseen = exponentials[bits & 0xffff]! * unseenSize
    let [sum, size] = [0, unseen]
    for (let group = 0; group < sums.length; group++) {
      bits = group % 2 === 0 ? bits >>> 16 : Math.floor(random.next() * 2 ** 32)
      const weight = exponentials[bits & 0xffff]!
      sum += weight * sums[group]!
      size += weight * sizes[group]!
    }
    lows[draw] = sum / size
    highs[draw] = (sum + unseen) / size
  }
  const mean = sums.reduce((sum, value) => sum + value, 0) / total
  // Corrects rounding if all values are at one end.
  return [
    Math.max(0, Math.min(mean, percentile(lows.sort(), 0.025))),
    Math.min(1, Math.max(mean, percentile(highs.sort(), 0.975))),
  ]
}

/** The value below which this share of the sorted values lies, linearly interpolated. */
function percentile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return below + (place - Math.floor(place)) * (above - below)
}
