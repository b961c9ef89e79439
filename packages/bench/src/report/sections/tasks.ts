/** Every task: its cells, the differences to the reader, and its positions. */
import type { Analysis } from '../analysis/analyse.ts'
import { lengthTitle } from '../analysis/lengths.ts'
import type { TaskGroup } from '../analysis/task-group.ts'
import { type Block, columnsOf, tableOf } from '../block.ts'
import { count, pValue } from '../numbers.ts'
import { departuresTitle } from './departures.ts'
import {
  countedCell,
  differenceCell,
  estimateCell,
  metricTitle,
  plural,
  seenTitle,
  taskMetricTitle,
} from './words.ts'

export const taskSections = (analysis: Analysis): Block[] => [
  { type: 'heading', level: 2, text: 'Tasks' },
  ...analysis.tasks.flatMap((task): Block[] => [
    { type: 'heading', level: 3, text: task.name },
    { type: 'paragraph', text: aboutTask(task) },
    ...cellTable(task, analysis),
    ...differenceTable(task, analysis),
    ...depthTable(task, analysis),
  ]),
]

function aboutTask(task: TaskGroup): string {
  const seen = seenTitle(task)
  const kind = task.answerable ? '' : ' Questions without an answer: saying so is right.'
  const sentence = `${seen[0]!.toUpperCase()}${seen.slice(1)}.${kind}`
  return task.deviations.length === 0
    ? sentence
    : `${sentence} It departs from the published task in ${plural(task.deviations.length, 'point')} (see ${departuresTitle}) and does not carry the benchmark's name.`
}

function cellTable(task: TaskGroup, { cells }: Analysis): Block[] {
  return tableOf({
    caption: `${task.name}: accuracy, %`,
    groupTitle: 'tokens',
    columns: columnsOf('method', ['n', ...task.metrics.map((metric) => taskMetricTitle(task, metric))]),
    rows: cells
      .filter((cell) => cell.task === task)
      .map(({ series, lengthTokens, count: samples, failed, ownLength, metrics }) => ({
        group: lengthTitle(lengthTokens, task.keepsLength),
        cells: [
          series.name,
          {
            value: count(samples),
            notes: [
              ...(failed > 0 ? [`${failed} failed`] : []),
              ...(ownLength > 0 && !task.keepsLength ? [`${ownLength} longer`] : []),
            ],
          },
          ...task.metrics.map((metric) => estimateCell(metrics[metric])),
        ],
      })),
  })
}

function differenceTable(task: TaskGroup, { differences, series, lengths }: Analysis): Block[] {
  const own = differences.filter((difference) => difference.task === task)
  const row = (lengthTokens: number | undefined) =>
    series.slice(1).flatMap((one) => {
      const set = own.filter(
        (difference) => difference.series === one && difference.lengthTokens === lengthTokens,
      )
      if (set.length === 0) return []
      return [
        {
          group: lengthTokens === undefined ? 'all lengths' : lengthTitle(lengthTokens, task.keepsLength),
          cells: [
            one.name,
            count(set[0]!.pairs),
            ...task.metrics.map((metric) => {
              const difference = set.find((difference) => difference.metric === metric)
              return difference === undefined ? '–' : differenceCell(difference, pValue(difference.pValue))
            }),
          ],
        },
      ]
    })
  return tableOf({
    caption: `${task.name}: difference to ${series[0]!.name} on the same samples, percentage points; above 0 the other method is better`,
    groupTitle: 'tokens',
    columns: columnsOf('method', ['pairs', ...task.metrics.map((metric) => taskMetricTitle(task, metric))]),
    rows: [...lengths.flatMap(row), ...row(undefined)],
  })
}

function depthTable(task: TaskGroup, { depthsByTask, series }: Analysis): Block[] {
  const own = depthsByTask.filter((position) => position.task === task)
  if (own.length === 0) return []
  const parts = [0, 0.2, 0.4, 0.6, 0.8]
  return tableOf({
    caption: `${task.name}: ${metricTitle(task.mainMetric!)}, %, by depth of the evidence, all lengths together`,
    columns: columnsOf(
      'method',
      parts.map((from) => `${Math.round(100 * from)}–${Math.round(100 * (from + 0.2))} %`),
    ),
    rows: series
      .filter((one) => own.some((position) => position.series === one))
      .map((one) => ({
        cells: [
          one.name,
          ...parts.map((from) => {
            const found = own.find(
              (position) => position.series === one && Math.abs(position.fromDepth - from) < 0.01,
            )
            return countedCell(found?.estimate)
          }),
        ],
      })),
  })
}
