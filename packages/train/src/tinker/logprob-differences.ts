/** How far apart two passes over the same tokens are: nats per token, for sequences of equal shape. */

/** Differences between log-probabilities at the same places, over all sequences in turn. */
export function differences(a: readonly ArrayLike<number>[], b: readonly ArrayLike<number>[]): number[] {
  return a.flatMap((values, i) => Array.from(values, (value, t) => Math.abs(value - b[i]![t]!)))
}

/** 0 without any token. */
export const largestDifference = (a: readonly ArrayLike<number>[], b: readonly ArrayLike<number>[]): number =>
  differences(a, b).reduce((largest, value) => Math.max(largest, value), 0)

export function meanDifference(a: readonly ArrayLike<number>[], b: readonly ArrayLike<number>[]): number {
  const all = differences(a, b)
  return all.reduce((sum, value) => sum + value, 0) / all.length
}
