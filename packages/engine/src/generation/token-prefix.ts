/** Common prefixes of token sequences. */

/** Length of the common prefix. */
export function commonPrefix(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a[at] === b[at]) at++
  return at
}

/** Orders by the first token that differs, shorter sequences first: neighbours share the longest prefixes. */
export function compareTokens(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const at = commonPrefix(a, b)
  return (a[at] ?? -1) - (b[at] ?? -1)
}
