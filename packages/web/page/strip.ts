/** What the strip of the timeline draws. */

/** Greatest width of a bar as a share of the strip, however few steps there are. */
const widest = 0.02

/** The view box from the middle of the first bar to the middle of the last. */
export const stripBox = (bars: number): string => (bars < 2 ? '0 0 1 100' : `0.5 0 ${bars - 1} 100`)

/**
 * Draws the bars up from the bottom, as a path in this box.
 * @param shares of each bar, from 0 to 1
 * @param least height of a bar whose share is not 0, of 100
 */
export function stripPath(shares: readonly number[], least = 26): string {
  const width = Math.min(1, widest * Math.max(1, shares.length - 1))
  return shares
    .flatMap((share, i) => {
      if (share === 0) return []
      const height = Math.max(least, Math.round(100 * share))
      return [`M${(i + 0.5 - width / 2).toFixed(3)} 100v${-height}h${width.toFixed(3)}v${height}z`]
    })
    .join('')
}
