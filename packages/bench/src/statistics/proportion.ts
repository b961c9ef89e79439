/** Proportions with intervals: the share of n that were right. */

export interface Proportion {
  readonly right: number
  readonly count: number
  readonly value: number
  /** Bounds of the 95 % interval. */
  readonly low: number
  readonly high: number
}

const z = 1.959964

/** Wilson's score interval (Wilson 1927): valid near 0 and 1 and for small counts. NaN without samples. */
export function proportion(right: number, count: number): Proportion {
  if (count === 0) return { right, count, value: Number.NaN, low: Number.NaN, high: Number.NaN }
  const value = right / count
  const spread = z * Math.sqrt((value * (1 - value)) / count + (z * z) / (4 * count * count))
  const centre = value + (z * z) / (2 * count)
  const scale = 1 + (z * z) / count
  return {
    right,
    count,
    value,
    // At the ends the bounds are exactly 0 and 1; this removes rounding errors.
    low: right === 0 ? 0 : (centre - spread) / scale,
    high: right === count ? 1 : (centre + spread) / scale,
  }
}

/** `93.8 % (83.2-97.9, n 48)` */
export function showProportion({ value, low, high, count }: Proportion): string {
  if (count === 0) return '-'
  const percent = (share: number) => (100 * share).toFixed(1)
  return `${percent(value)} % (${percent(low)}-${percent(high)}, n ${count})`
}
