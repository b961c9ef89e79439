/** Token sequences that begin alike. */

/** How many tokens both begin with. */
export function commonPrefix(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a[at] === b[at]) at++
  return at
}

/** Order in which neighbours share the longest beginnings: by the first token that differs, the shorter one first. */
export function compareTokens(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const at = commonPrefix(a, b)
  return (a[at] ?? -1) - (b[at] ?? -1)
}
