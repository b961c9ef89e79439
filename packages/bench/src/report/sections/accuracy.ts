/** Accuracy over length: the mean over tasks, and every task. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Cell } from '../analysis/cells.ts'
import type { TaskGroup } from '../analysis/task-group.ts'
import type { Block, TableRow } from '../block.ts'
import { count } from '../numbers.ts'
import type { Line, LinePlot } from '../plots/plot.ts'
import { countedCell, metricTitle, plural, seenTitle } from './words.ts'

export function accuracy(analysis: Analysis): Block[] {
  const { series, tasks, means, cells } = analysis
  const strictMeans = means.filter(({ metric }) => metric === 'strict')
  const meanLines = series
    .map(
      (one, i): Line => ({
        name: one.name,
        series: i,
        points: strictMeans
          .filter((mean) => mean.series === one)
          .map(({ lengthTokens, estimate }) => ({ x: lengthTokens, ...estimate })),
      }),
    )
    .filter(({ points }) => points.length > 0)
  const meanPlots: LinePlot[] =
    tasks.length > 1 && meanLines.length > 0
      ? [{ type: 'lines', title: meanTitle(tasks), yTitle: 'strict, %', y: 'share', lines: meanLines }]
      : []
  return [
    { type: 'heading', level: 2, text: 'Accuracy over length' },
    {
      type: 'figure',
      caption: 'Bands are 95 % intervals; a single length has a bar instead.',
      plots: [...meanPlots, ...tasks.flatMap((task) => taskPlot(task, analysis))],
    },
    ...['strict', 'lenient'].flatMap((metric) => meanTable(analysis, metric)),
    ...(series.length > 0 ? [glance(cells, analysis)] : []),
  ]
}

const meanTitle = (tasks: readonly TaskGroup[]) =>
  `Mean over ${plural(tasks.filter(({ metrics }) => metrics.includes('strict')).length, 'task')}`

function taskPlot(task: TaskGroup, { series, cells }: Analysis): LinePlot[] {
  const { mainMetric } = task
  if (mainMetric === undefined) return []
  const lines = series
    .map(
      (one, i): Line => ({
        name: one.name,
        series: i,
        points: cells
          .filter((cell) => cell.task === task && cell.series === one)
          .flatMap(({ lengthTokens, metrics }) =>
            metrics[mainMetric]!.count === 0 ? [] : [{ x: lengthTokens, ...metrics[mainMetric]! }],
          ),
      }),
    )
    .filter(({ points }) => points.length > 0)
  const mark = task.seenInTraining === undefined ? '' : task.seenInTraining ? ' (seen)' : ' (unseen)'
  return [
    {
      type: 'lines',
      title: `${task.name}${mark}`,
      yTitle: `${metricTitle(mainMetric)}, %`,
      y: 'share',
      lines,
    },
  ]
}

function meanTable({ series, means, lengths, tasks }: Analysis, metric: string): Block[] {
  const of = means.filter((mean) => mean.metric === metric)
  if (of.length === 0 || tasks.length < 2) return []
  const taskCount = tasks.filter(({ metrics }) => metrics.includes(metric)).length
  const shown = series.filter((one) => of.some((mean) => mean.series === one))
  return [
    {
      type: 'table',
      caption: `Mean over ${plural(taskCount, 'task')}, ${metricTitle(metric)}, %. Each task weighs the same; a length at which a method did not have all of them has no mean.`,
      columns: [
        { title: 'tokens', kind: 'number' },
        ...shown.map(({ name }) => ({ title: name, kind: 'number' as const })),
      ],
      rows: lengths
        .map((length) =>
          shown.map((one) => of.find((mean) => mean.series === one && mean.lengthTokens === length)),
        )
        .map((row, i) => ({ row, length: lengths[i]! }))
        .filter(({ row }) => row.some((mean) => mean !== undefined))
        .map(({ row, length }) => ({
          cells: [count(length), ...row.map((mean) => countedCell(mean?.estimate))],
        })),
    },
  ]
}

/** The reader's main metric, tasks down and lengths across. */
function glance(cells: readonly Cell[], { series, tasks }: Analysis): Block {
  const reader = series[0]!
  const own = cells.filter((cell) => cell.series === reader)
  const shown = [...new Set(own.map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)
  const row = (task: TaskGroup): TableRow => ({
    group: seenTitle(task),
    cells: [
      task.mainMetric === 'strict' || task.mainMetric === undefined
        ? task.name
        : { value: task.name, notes: [metricTitle(task.mainMetric)] },
      ...shown.map((length) => {
        const cell = own.find((one) => one.task === task && one.lengthTokens === length)
        return countedCell(cell?.metrics[task.mainMetric ?? ''])
      }),
    ],
  })
  return {
    type: 'table',
    caption: `${reader.name} at a glance: strict unless named otherwise, %, interval and n`,
    columns: [
      { title: 'task' },
      ...shown.map((length) => ({ title: count(length), kind: 'number' as const })),
    ],
    rows: tasks.map(row).sort((a, b) => b.group!.localeCompare(a.group!, 'en')),
    groupTitle: 'training',
  }
}
