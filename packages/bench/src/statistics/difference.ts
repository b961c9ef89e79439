/** How much better or worse one method is than another on the same samples. */
import { type BootstrapOptions, bootstrapMeans, percentile } from './bootstrap.ts'
import { exactMcNemar } from './mcnemar.ts'
import { newcombeInterval } from './newcombe.ts'

/** A metric of both methods for one sample. */
export type Pair = readonly [first: number, second: number]

export interface PairedDifference {
  /** Mean of the second minus mean of the first. */
  readonly value: number
  /** Bounds of the 95 % interval. */
  readonly low: number
  readonly high: number
  /** Two-sided, of no difference; not corrected for other comparisons. */
  readonly pValue: number
  readonly pairs: number
  /** Pairs in which the second is better, and worse. */
  readonly better: number
  readonly worse: number
  readonly test: 'mcnemar' | 'bootstrap'
}

/**
 * Where each group is one pair of zeros and ones: McNemar's exact test and Newcombe's interval. Otherwise the paired
 * percentile bootstrap over groups, with the p-value of the share of resamples on the other side of 0. Differences that are
 * all alike have no spread to resample: McNemar and Newcombe then, with one pair for each group.
 * @param groups pairs that belong together, such as those of one question at several lengths
 */
export function pairedDifference(
  groups: readonly (readonly Pair[])[],
  options?: BootstrapOptions,
): PairedDifference {
  const pairs = groups.flat()
  const differences = groups.map((group) => group.map(([first, second]) => second - first))
  const value = mean(differences.flat())
  const counts = {
    value,
    pairs: pairs.length,
    better: pairs.filter(([first, second]) => second > first).length,
    worse: pairs.filter(([first, second]) => second < first).length,
  }
  const isBinary =
    groups.every((group) => group.length === 1) && pairs.flat().every((x) => x === 0 || x === 1)
  const isUniform = differences.every((group) => Math.abs(mean(group) - value) < 1e-12)
  if (isBinary || isUniform) {
    const share = (part: (pair: Pair) => number) => groups.length * mean(pairs.map(part))
    const table = {
      both: share(([first, second]) => Math.min(first, second)),
      firstOnly: share(([first, second]) => Math.max(first - second, 0)),
      secondOnly: share(([first, second]) => Math.max(second - first, 0)),
      neither: share(([first, second]) => 1 - Math.max(first, second)),
    }
    const [low, high] = newcombeInterval(table)
    const pValue = exactMcNemar(Math.round(table.firstOnly), Math.round(table.secondOnly))
    return { ...counts, low, high, pValue, test: 'mcnemar' }
  }
  const sorted = bootstrapMeans([differences], options)
  // One more resample, which is the measured one, keeps p above 0 (Davison and Hinkley 1997, 4.2).
  const tail = (isThere: (mean: number) => boolean) =>
    (sorted.filter(isThere).length + 1) / (sorted.length + 1)
  const pValue = Math.min(
    1,
    2 *
      Math.min(
        tail((mean) => mean <= 0),
        tail((mean) => mean >= 0),
      ),
  )
  return {
    ...counts,
    low: percentile(sorted, 0.025),
    high: percentile(sorted, 0.975),
    pValue,
    test: 'bootstrap',
  }
}

/** NaN of nothing. */
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
