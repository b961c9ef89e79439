/** Paired difference between two methods on the same samples. */
import { exactMcNemar } from './mcnemar.ts'
import { newcombeInterval, type Pair } from './newcombe.ts'
import { signFlipTest } from './sign-flip.ts'

export interface PairedDifference {
  /** Mean of the second minus mean of the first. */
  readonly value: number
  /** Bounds of the 95 % interval, by Newcombe's method. */
  readonly low: number
  readonly high: number
  /** Two-sided p-value for no difference; not corrected for multiple comparisons. */
  readonly pValue: number
  /** Undefined if the p-value is exact; otherwise the step between p-values from drawn signs, and the smallest possible one. */
  readonly pResolution: number | undefined
  readonly pairs: number
  /** Number of pairs in which the second is better, and worse. */
  readonly better: number
  readonly worse: number
  readonly test: 'mcnemar' | 'sign-flip'
}

/**
 * McNemar's exact test if each group is one pair of zeros and ones, otherwise the sign-flip test over groups.
 * @param groups pairs that belong together, such as one question at several lengths; none empty
 */
export function pairedDifference(groups: readonly (readonly Pair[])[]): PairedDifference {
  const pairs = groups.flat()
  const better = pairs.filter(([first, second]) => second > first).length
  const worse = pairs.filter(([first, second]) => second < first).length
  const isBinary =
    groups.every((group) => group.length === 1) && pairs.flat().every((x) => x === 0 || x === 1)
  const sums = groups.map((group) => group.reduce((sum, [first, second]) => sum + second - first, 0))
  const { pValue, resolution } = isBinary
    ? { pValue: exactMcNemar(worse, better), resolution: undefined }
    : signFlipTest(sums)
  const [low, high] = newcombeInterval(groups)
  return {
    value: sums.reduce((sum, one) => sum + one, 0) / pairs.length,
    low,
    high,
    pValue,
    pResolution: resolution,
    pairs: pairs.length,
    better,
    worse,
    test: isBinary ? 'mcnemar' : 'sign-flip',
  }
}
