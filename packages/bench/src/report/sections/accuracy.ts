/** Accuracy over length: the mean over tasks, and every task; questions with an answer first, then those without. */
import type { Estimate } from '../../statistics/mean.ts'
import type { Analysis } from '../analysis/analyse.ts'
import type { Series } from '../analysis/series.ts'
import type { TaskGroup } from '../analysis/task-group.ts'
import { type Block, columnsOf, type TableRow, tableOf } from '../block.ts'
import { count } from '../numbers.ts'
import type { LinePlot } from '../plots/plot.ts'
import { metricTitle, plural, sampleCell, seenTitle, taskMetricTitle } from './words.ts'

export function accuracy(analysis: Analysis): Block[] {
  const without = analysis.tasks.filter(({ answerable }) => !answerable)
  return [
    { type: 'heading', level: 2, text: 'Accuracy over length' },
    ...part(analysis, true),
    ...(without.length === 0
      ? []
      : [
          { type: 'heading', level: 2, text: 'Questions without an answer' } as const,
          {
            type: 'paragraph',
            text: 'Right is to say that the text does not answer, which a method that finds nothing always does: read these beside its accuracy on questions with an answer.',
          } as const,
          ...part(analysis, false),
        ]),
  ]
}

/** For the questions with an answer, or for those without. */
function part(all: Analysis, answerable: boolean): Block[] {
  const analysis = {
    ...all,
    tasks: all.tasks.filter((task) => task.answerable === answerable),
    means: all.means.filter((mean) => mean.answerable === answerable),
  }
  const { tasks } = analysis
  if (tasks.length === 0) return [{ type: 'paragraph', text: 'No question has an answer.' }]
  const byLength = [false, true]
    .map((own) => ({
      ...analysis,
      tasks: tasks.filter(({ keepsLength }) => keepsLength === own),
      means: analysis.means.filter(({ keepsLength }) => keepsLength === own),
    }))
    .filter((alike) => alike.tasks.length > 0)
  return [
    {
      type: 'figure',
      caption: 'Bands are 95 % intervals; a single length has a bar instead.',
      plots: [...byLength.flatMap(meanPlot), ...tasks.flatMap((task) => taskPlot(task, analysis))],
    },
    ...['strict', 'lenient'].flatMap((metric) => byLength.flatMap((alike) => meanTable(alike, metric))),
    ...glance(analysis),
  ]
}

/** Part of an analysis: one kind of question, with documents of requested lengths or of their own. */
type Part = Analysis

const meanMetric = ([task]: readonly TaskGroup[]) => `${taskMetricTitle(task!, 'strict')}, %`

const meanTitle = (tasks: readonly TaskGroup[], metric: string) =>
  `Mean over ${plural(tasks.filter(({ metrics }) => metrics.includes(metric)).length, 'task')}${tasks[0]!.keepsLength ? ', own length' : ''}${tasks[0]!.answerable ? '' : ', no answer'}`

function meanPlot({ series, tasks, means }: Part): LinePlot[] {
  const strict = means.filter(({ metric }) => metric === 'strict')
  const plot = sharePlot(meanTitle(tasks, 'strict'), meanMetric(tasks), series, strict)
  return tasks.length < 2 || plot.lines.length === 0 ? [] : [plot]
}

function taskPlot(task: TaskGroup, { series, cells }: Part): LinePlot[] {
  const { mainMetric } = task
  if (mainMetric === undefined) return []
  const mark = task.seenInTraining === undefined ? '' : task.seenInTraining ? ' (seen)' : ' (unseen)'
  const own = cells
    .filter((cell) => cell.task === task)
    .map((cell) => ({ ...cell, estimate: cell.metrics[mainMetric]! }))
  return [sharePlot(`${task.name}${mark}`, `${taskMetricTitle(task, mainMetric)}, %`, series, own)]
}

/** A line for each series that has any value. */
function sharePlot(
  title: string,
  yTitle: string,
  series: readonly Series[],
  values: readonly { readonly series: Series; readonly lengthTokens: number; readonly estimate: Estimate }[],
): LinePlot {
  const lines = series.map((one) => ({
    name: one.name,
    series: one.style,
    points: values
      .filter((value) => value.series === one && value.estimate.count > 0)
      .map(({ lengthTokens, estimate }) => ({ x: lengthTokens, ...estimate })),
  }))
  return { type: 'lines', title, yTitle, y: 'share', lines: lines.filter(({ points }) => points.length > 0) }
}

function meanTable({ series, means, lengths, tasks }: Part, metric: string): Block[] {
  const of = means.filter((mean) => mean.metric === metric)
  if (of.length === 0 || tasks.length < 2) return []
  const shown = series.filter((one) => of.some((mean) => mean.series === one))
  const isNamed = tasks[0]!.keepsLength
  return tableOf({
    caption: `${meanTitle(tasks, metric)}, ${taskMetricTitle(tasks[0]!, metric)}, %. Each task weighs the same; a length at which a method did not have all of them has no mean.`,
    columns: columnsOf([], ['tokens', ...shown.map(({ name }) => name)]),
    rows: lengths
      .map((length) =>
        shown.map((one) => of.find((mean) => mean.series === one && mean.lengthTokens === length)),
      )
      .map((row, i) => ({ row, length: lengths[i]! }))
      .filter(({ row }) => row.some((mean) => mean !== undefined))
      .map(({ row, length }) => ({
        cells: [isNamed ? 'own length' : count(length), ...row.map((mean) => sampleCell(mean?.estimate))],
      })),
  })
}

/** The reader's main metric, tasks down and lengths across. */
function glance({ cells, series, tasks }: Part): Block[] {
  const reader = series[0]!
  const own = cells.filter((cell) => cell.series === reader && tasks.includes(cell.task))
  const shown = [...new Set(own.map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)
  if (shown.length === 0) return []
  // A single length that is only a name is shown as `own length`; several must all be shown.
  const isNamed = shown.length === 1 && tasks.every(({ keepsLength }) => keepsLength)
  const row = (task: TaskGroup): TableRow => {
    const { name, mainMetric = 'strict', keepsLength } = task
    const notes = [
      ...(mainMetric === 'strict' ? [] : [metricTitle(mainMetric)]),
      ...(keepsLength && !isNamed ? ['own length'] : []),
    ]
    return {
      group: seenTitle(task),
      cells: [
        notes.length === 0 ? name : { value: name, notes },
        ...shown.map((length) => {
          const cell = own.find((one) => one.task === task && one.lengthTokens === length)
          return sampleCell(cell?.metrics[task.mainMetric ?? ''])
        }),
      ],
    }
  }
  return tableOf({
    caption: `${reader.name} at a glance: ${taskMetricTitle(tasks[0]!, 'strict')} unless named otherwise, %, interval and n`,
    columns: columnsOf(
      'task',
      shown.map((length) => (isNamed ? 'own length' : count(length))),
    ),
    rows: tasks.map(row).sort((a, b) => b.group!.localeCompare(a.group!, 'en')),
    groupTitle: 'training',
  })
}
