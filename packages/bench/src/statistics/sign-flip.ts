/**
 * The sign-flip test (Fisher 1935; a permutation test of paired values): if two methods do not differ, each difference could as
 * well have had the other sign. McNemar's exact test is what it comes to for differences of -1, 0 and 1.
 */
import { createRandom } from '@memagent/tasks'

export interface SignFlipTest {
  /** Two-sided: the share of all signs that give a sum at least as far from 0. */
  readonly pValue: number
  /** Undefined: all signs were counted. Else the step of p-values from drawn signs, and the smallest there can be. */
  readonly resolution: number | undefined
}

const draws = 10_000
/** Differences with up to 16 in the denominator are whole numbers of it. */
const unitsOfOne = 720_720_000
/** So many different differences of any size are counted sign by sign. */
const mostCounted = 17
const mostSteps = 2 ** 17
const mostWork = 50_000_000

/**
 * Exact for few differences and, of any number, for shares of small whole numbers; else from 10,000 drawn signs, the same ones
 * each time.
 * @param differences one for each independent group, so a sum or a mean of what belongs together; their order does not matter
 */
export function signFlipTest(differences: readonly number[]): SignFlipTest {
  const sizes = differences
    .map((one) => Math.round(Math.abs(one) * unitsOfOne))
    .filter((size) => size > 0)
    .sort((a, b) => a - b)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const observed = Math.abs(differences.reduce((sum, one) => sum + Math.round(one * unitsOfOne), 0))
  // What only rounding tells apart is as far from 0.
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

/** How likely each sum of the differences with a plus is, one difference after the other. */
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

/** With the measured signs as one more draw, so that p is never 0 (Davison and Hinkley 1997, 4.3). */
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
