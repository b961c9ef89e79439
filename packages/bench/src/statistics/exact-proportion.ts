/** Exact intervals for rare events, which Wilson's intervals approximate. */
import type { Proportion } from './proportion.ts'

/** Draws that depend on each other, such as the chunks of one document. */
export interface Cluster {
  readonly right: number
  readonly count: number
}

/**
 * The share over all draws of all clusters. Its interval is Clopper and Pearson's for the number of independent draws whose
 * estimate would vary as much (Korn and Graubard 1998), so clusters that differ make it wider. If no draw or every draw is
 * right, or there is one cluster, nothing shows how much clusters differ, and each draw counts as independent.
 */
export function clusteredProportion(clusters: readonly Cluster[]): Proportion {
  const [right, count] = [sum(clusters.map((one) => one.right)), sum(clusters.map((one) => one.count))]
  const value = right / count
  const squares = sum(clusters.map((one) => (one.right - value * one.count) ** 2))
  const variance = ((clusters.length / (clusters.length - 1)) * squares) / count ** 2
  const independent = variance > 0 ? Math.min(count, (value * (1 - value)) / variance) : count
  return { ...exactProportion(value * independent, independent), right, count, value }
}

/**
 * Clopper and Pearson's interval (1934): quantiles of beta distributions, which cover the true share at least 95 times in
 * 100, however rare the event. NaN without samples.
 */
export function exactProportion(right: number, count: number): Proportion {
  if (count === 0) return { right, count, value: Number.NaN, low: Number.NaN, high: Number.NaN }
  return {
    right,
    count,
    value: right / count,
    low: right === 0 ? 0 : betaQuantile(0.025, right, count - right + 1),
    high: right === count ? 1 : betaQuantile(0.975, right + 1, count - right),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** By bisection. */
function betaQuantile(share: number, a: number, b: number): number {
  let [low, high] = [0, 1]
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2
    if (betaDistribution(middle, a, b) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The regularized incomplete beta function (DLMF 8.17.4, 8.17.22). */
function betaDistribution(x: number, a: number, b: number): number {
  if (x > (a + 1) / (a + b + 2)) return 1 - betaDistribution(1 - x, b, a)
  const front = a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)
  return (Math.exp(front) / a) * betaFraction(x, a, b)
}

/** Its continued fraction by Lentz's method; needs about as many terms as the square root of its largest argument. */
function betaFraction(x: number, a: number, b: number): number {
  const safe = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value)
  let c = 1
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; ; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    for (const term of [even, odd]) {
      d = 1 / safe(1 + term * d)
      c = safe(1 + term / c)
      result *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-14) return result
  }
}

/** Lanczos' approximation (g = 7, n = 9), for arguments of at least 1. */
function logGamma(z: number): number {
  const base = z + 6.5
  const series = coefficients.reduce((sum, one, i) => sum + one / (z + i), 0.999_999_999_999_809_93)
  return 0.5 * Math.log(2 * Math.PI) + (z - 0.5) * Math.log(base) - base + Math.log(series)
}

const coefficients = [
  676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_13, -176.615_029_162_140_59,
  12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_571_6e-6, 1.505_632_735_149_311_6e-7,
]
