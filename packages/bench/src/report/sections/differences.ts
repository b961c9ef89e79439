/** Every method against the reader, all tasks in one plot. */
import type { Analysis } from '../analysis/analyse.ts'
import { type Block, figureOf } from '../block.ts'
import type { IntervalPlot } from '../plots/plot.ts'
import { metricTitle } from './words.ts'

export function differences(analysis: Analysis): Block[] {
  const [reader, ...others] = analysis.series
  if (reader === undefined || others.length === 0) return []
  const together =
    analysis.lengths.length > 1 ? ', all lengths together: the lengths of one question count as one' : ''
  const caption = `Strict unless named otherwise, on the samples that both methods answered${together}. Right of 0 the method is better than ${reader.name}. Bars are 95 % intervals. p-values, in the tables of the tasks, are exact (McNemar for answers of 0 or 1, sign flips otherwise) or, for many uneven differences, from 10,000 drawn signs and then no smaller than 0.0001; they are not corrected for the number of comparisons.`
  const [answered, without] = [plotsOf(analysis, true), plotsOf(analysis, false)]
  const aboutWithout = 'right of 0 the method says more often that there is none.'
  return [
    { type: 'heading', level: 2, text: `Differences to ${reader.name}` },
    ...figureOf(caption, answered),
    ...figureOf(
      answered.length > 0
        ? `The same for questions without an answer: ${aboutWithout}`
        : `${caption} No question has an answer: ${aboutWithout}`,
      without,
    ),
  ]
}

/** One plot per method, for questions with an answer or for those without. */
function plotsOf({ series, tasks, differences: all }: Analysis, answerable: boolean): IntervalPlot[] {
  const [reader, ...others] = series
  return others.flatMap((one) => {
    const rows = tasks.flatMap((task) => {
      if (task.answerable !== answerable) return []
      const own = all.filter(
        (difference) =>
          difference.task === task && difference.series === one && difference.metric === task.mainMetric,
      )
      const difference = own.find(({ lengthTokens }) => lengthTokens === undefined) ?? own[0]
      if (difference === undefined) return []
      const { value, low, high, pairs } = difference
      const metric = task.mainMetric === 'strict' ? '' : ` (${metricTitle(task.mainMetric!)})`
      return [{ name: `${task.title}${metric}`, value, low, high, count: pairs }]
    })
    if (rows.length === 0) return []
    return [
      {
        type: 'intervals' as const,
        title: `${one.name} minus ${reader!.name}${answerable ? '' : ', no answer'}`,
        xTitle: 'percentage points',
        series: one.style,
        rows,
      },
    ]
  })
}
