/** Token sequences with a common beginning. */

/** Length of the common prefix. */
export function commonPrefix(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a[at] === b[at]) at++
  return at
}

/** An order in which neighbours share the longest prefixes: by the first token that differs, the shorter one first. */
export function compareTokens(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const at = commonPrefix(a, b)
  return (a[at] ?? -1) - (b[at] ?? -1)
}
