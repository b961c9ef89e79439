/**
 * The sign-flip test (Fisher 1935; a permutation test of paired values): if two methods are equal, each difference is equally
 * likely to have either sign. For differences of -1, 0 and 1 this is McNemar's exact test.
 */
import { createRandom } from '@memagent/tasks'

export interface SignFlipTest {
  /** Two-sided: the share of all sign assignments whose sum is at least as far from 0. */
  readonly pValue: number
  /** Undefined if all assignments were counted; otherwise the step of p-values from drawn ones, and the smallest possible. */
  readonly resolution: number | undefined
}

const draws = 10_000
/** Fractions with denominators up to 16 are integer multiples of this unit. */
const unitsOfOne = 720_720_000
/** Up to this many differences, of any size, all sign assignments are counted. */
const mostCounted = 17
const mostSteps = 2 ** 17
const mostWork = 50_000_000

/**
 * Exact for few differences and, for any number, if they are multiples of simple fractions; otherwise from 10,000 drawn sign
 * assignments, the same ones each time.
 * @param differences one per independent group, so a sum or a mean of what belongs together; their order does not matter
 */
export function signFlipTest(differences: readonly number[]): SignFlipTest {
  const sizes = differences
    .map((one) => Math.round(Math.abs(one) * unitsOfOne))
    .filter((size) => size > 0)
    .sort((a, b) => a - b)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const observed = Math.abs(differences.reduce((sum, one) => sum + Math.round(one * unitsOfOne), 0))
  // Differences due to rounding count as equally far from 0.
  const limit = observed - sizes.length
  const isFar = (plus: number) => Math.abs(2 * plus - total) >= limit
  const exactly = (pValue: number): SignFlipTest => ({ pValue: Math.min(1, pValue), resolution: undefined })
  if (limit <= 0) return exactly(1)

  const step = sizes.reduce(greatestCommonDivisor, 0)
  const steps = total / step + 1
  if (steps <= mostSteps && steps * sizes.length <= mostWork) return exactly(byLattice(sizes, step, isFar))
  if (sizes.length <= mostCounted) return exactly(bySigns(sizes, isFar))
  return { pValue: byDraws(sizes, isFar), resolution: 1 / (draws + 1) }
}

/** The probability of each sum of the positive differences, built up one difference at a time. */
function byLattice(sizes: readonly number[], step: number, isFar: (plus: number) => boolean): number {
  const reach = sizes.reduce((sum, size) => sum + size, 0) / step
  const chances = new Float64Array(reach + 1)
  chances[0] = 1
  let top = 0
  for (const size of sizes) {
    const shift = size / step
    top += shift
    for (let sum = top; sum >= 0; sum--) {
      chances[sum] = (chances[sum]! + (sum >= shift ? chances[sum - shift]! : 0)) / 2
    }
  }
  return chances.reduce((share, chance, sum) => share + (isFar(sum * step) ? chance : 0), 0)
}

function bySigns(sizes: readonly number[], isFar: (plus: number) => boolean): number {
  let sums = [0]
  for (const size of sizes) sums = [...sums, ...sums.map((sum) => sum + size)]
  return sums.filter(isFar).length / sums.length
}

/** Counts the observed signs as one more draw, so that p is never 0 (Davison and Hinkley 1997, 4.3). */
function byDraws(sizes: readonly number[], isFar: (plus: number) => boolean): number {
  const random = createRandom('sign-flip', 1)
  let far = 1
  for (let draw = 0; draw < draws; draw++) {
    let plus = 0
    for (const size of sizes) if (random.next() < 0.5) plus += size
    if (isFar(plus)) far++
  }
  return far / (draws + 1)
}

function greatestCommonDivisor(one: number, other: number): number {
  let [a, b] = [one, other]
  while (b !== 0) [a, b] = [b, a % b]
  return a
}
