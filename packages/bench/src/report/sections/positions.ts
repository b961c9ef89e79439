/** Accuracy by depth and length, one map for each method. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Block } from '../block.ts'
import type { HeatMap } from '../plots/plot.ts'

export function positions({ series, depthsByLength }: Analysis): Block[] {
  const plots = series.flatMap((one): HeatMap[] => {
    const cells = depthsByLength
      .filter((position) => position.series === one)
      .map(({ lengthTokens, fromDepth, toDepth, estimate }) => ({
        lengthTokens: lengthTokens!,
        fromDepth,
        toDepth,
        ...estimate,
      }))
    return cells.length === 0 ? [] : [{ type: 'heat-map', title: one.name, cells }]
  })
  if (plots.length === 0) return []
  const counts = depthsByLength.map(({ estimate }) => estimate.count)
  return [
    { type: 'heading', level: 2, text: 'Position of the evidence' },
    {
      type: 'figure',
      caption: `Strict accuracy, %, by depth of the evidence and length of the document, over all tasks that have it. Cells are of ${Math.min(...counts)} to ${Math.max(...counts)} samples; those of fewer than 5 are pale. positions.csv has each with its n and interval.`,
      plots,
    },
  ]
}
