/** Every method against the reader, all tasks in one plot. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Block } from '../block.ts'
import { metricTitle } from './words.ts'

export function differences({ series, tasks, differences: all, lengths }: Analysis): Block[] {
  const [reader, ...others] = series
  if (reader === undefined || others.length === 0) return []
  const plots = others.flatMap((one) => {
    const rows = tasks.flatMap((task) => {
      const own = all.filter(
        (difference) =>
          difference.task === task && difference.series === one && difference.metric === task.mainMetric,
      )
      const difference = own.find(({ lengthTokens }) => lengthTokens === undefined) ?? own[0]
      if (difference === undefined) return []
      const { value, low, high, pairs } = difference
      const metric = task.mainMetric === 'strict' ? '' : ` (${metricTitle(task.mainMetric!)})`
      return [{ name: `${task.name}${metric}`, value, low, high, count: pairs }]
    })
    if (rows.length === 0) return []
    return [
      {
        type: 'intervals' as const,
        title: `${one.name} minus ${reader.name}`,
        xTitle: 'percentage points',
        series: series.indexOf(one),
        rows,
      },
    ]
  })
  return [
    { type: 'heading', level: 2, text: `Differences to ${reader.name}` },
    {
      type: 'figure',
      caption: `Strict unless named otherwise, on the samples that both methods answered${lengths.length > 1 ? ', all lengths together: the lengths of one question count as one' : ''}. Right of 0 the method is better than ${reader.name}. Bars are 95 % intervals. p-values, in the tables of the tasks, are exact (McNemar for answers of 0 or 1, sign flips otherwise) or, for many uneven differences, from 10,000 drawn signs and then no smaller than 0.0001; they are not corrected for the number of comparisons.`,
      plots,
    },
  ]
}
