/** Confidence interval for the difference of two means measured on the same samples. */
import { estimateMean } from './mean.ts'

/** One metric of both methods on one sample. */
export type Pair = readonly [first: number, second: number]

/**
 * 95 % interval of the second mean minus the first. Newcombe's method 10 (Statistics in Medicine 17, 1998, 2635-2650): the
 * intervals of both means, squared and added with their correlation; it has a width even if no pair differs. Zeros and ones
 * get Wilson's intervals, as in the paper, and other values Gaffke's (the same step from proportions to means as in Zou and
 * Donner 2008).
 * @param groups pairs that belong together; none empty
 * @param draws for Gaffke's intervals. @default its own
 */
export function newcombeInterval(
  groups: readonly (readonly Pair[])[],
  draws?: number,
): [low: number, high: number] {
  const [first, second] = ([0, 1] as const).map((i) =>
    estimateMean(
      groups.map((group) => group.map((pair) => pair[i])),
      draws,
    ),
  )
  const r = correlation(groups, first!.value, second!.value)
  const reach = (a: number, b: number) => Math.sqrt(Math.max(0, a * a - 2 * r * a * b + b * b))
  const difference = second!.value - first!.value
  return [
    difference - reach(second!.value - second!.low, first!.high - first!.value),
    difference + reach(second!.high - second!.value, first!.value - first!.low),
  ]
}

/** Correlation of the groups' means; if positive, with Newcombe's correction for small samples, which widens the interval. */
function correlation(groups: readonly (readonly Pair[])[], first: number, second: number): number {
  let [product, firsts, seconds] = [0, 0, 0]
  for (const group of groups) {
    const [a, b] = ([0, 1] as const).map((i) => group.reduce((sum, pair) => sum + pair[i], 0) / group.length)
    product += (a! - first) * (b! - second)
    firsts += (a! - first) ** 2
    seconds += (b! - second) ** 2
  }
  const corrected = product > 0 ? Math.max(0, product - 1 / 2) : product
  return firsts * seconds < 1e-18 ? 0 : Math.max(-1, corrected / Math.sqrt(firsts * seconds))
}
