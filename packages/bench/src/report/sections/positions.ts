/** Accuracy by depth and length, one map per task: a position in one task says nothing about another. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Block } from '../block.ts'
import type { HeatMap } from '../plots/plot.ts'
import { metricTitle } from './words.ts'

export function positions({ series: [reader], tasks, depthsByLength }: Analysis): Block[] {
  const own = depthsByLength.filter((position) => position.series === reader)
  const plots = tasks.flatMap((task): HeatMap[] => {
    const { mainMetric } = task
    if (mainMetric === undefined) return []
    const cells = own
      .filter((position) => position.task === task)
      .map(({ lengthTokens, fromDepth, toDepth, estimate }) => ({
        lengthTokens: lengthTokens!,
        fromDepth,
        toDepth,
        ...estimate,
      }))
    const metric = mainMetric === 'strict' ? '' : ` (${metricTitle(mainMetric)})`
    return cells.length === 0 ? [] : [{ type: 'heat-map', title: `${task.name}${metric}`, cells }]
  })
  if (plots.length === 0) return []
  const counts = own.map(({ estimate }) => estimate.count)
  return [
    { type: 'heading', level: 2, text: 'Position of the evidence' },
    {
      type: 'figure',
      caption: `${reader!.name}, one map for each task: strict accuracy unless named otherwise, %, by depth of the evidence and length of the document. Cells are of ${Math.min(...counts)} to ${Math.max(...counts)} samples; those of fewer than 5 are pale. The tables of the tasks have the depths of every method, and positions.csv all of them with n and interval.`,
      plots,
    },
  ]
}
