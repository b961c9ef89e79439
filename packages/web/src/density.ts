/** Where along a strip something is marked. */

/**
 * How much of each part of a strip is marked.
 * @param marked ascending indices below `count`
 * @returns for each of at most `parts` equal parts the share of its items that are marked, from 0 to 1
 */
export function density(marked: readonly number[], count: number, parts: number): number[] {
  const bins = Math.min(parts, count)
  const sums = Array.from({ length: bins }, () => 0)
  for (const index of marked) sums[Math.floor((index * bins) / count)]!++
  return sums.map((sum, bin) => {
    const size = Math.ceil(((bin + 1) * count) / bins) - Math.ceil((bin * count) / bins)
    return sum / size
  })
}
