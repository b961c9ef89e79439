/** Means over the tasks of a group, equally weighted, and the reader's difference to each of the others. */
import { groupBy } from '../../group-by.ts'
import { estimateMeanOverStrata, type Interval, meanOfIntervals } from '../../statistics/mean.ts'
import { difference, type Measure, pairBySample, valueGroups } from '../analysis/measures.ts'
import { isComparable } from '../analysis/series.ts'
import { wholeTaskId } from '../analysis/task-group.ts'
import { type Block, columnsOf, type TableRow, tableOf } from '../block.ts'
import { count } from '../numbers.ts'
import { mainMetric, metricOf, type Observation } from '../observation.ts'
import type { LinePlot } from '../plots/plot.ts'
import { differenceCell, estimateCell, plural } from '../sections/words.ts'
import type { Comparison, Reader, SampleGroup } from './comparison.ts'

/** Strict or, for tasks without it, their main metric. */
const main: Measure = (observation) => {
  const name = mainMetric(Object.keys(observation.metrics))
  return name === undefined ? undefined : metricOf(observation, name)
}

/**
 * Only a reader that answered every task of the group has a mean. The best of the others is marked, to show "better than any
 * of them"; choosing it by the same answers can only make the difference to it smaller.
 */
export function taskMeansTable({ readers, groups, groupTitle }: Comparison): Block[] {
  const first = readers.find(isComparable)
  const rows = groups.flatMap((group) => rowsOf(group, readers, first))
  return tableOf({
    caption: `Accuracy as the mean over tasks, %, strict where a task has that metric, and ${first?.name ?? 'the reader'} minus the other on the same samples, percentage points; 95 % intervals, paired where two are compared`,
    groupTitle,
    columns: columnsOf('reader', ['tasks', 'n', 'mean', 'difference']),
    rows,
  })
}

/** The same means without the differences: a row for a reader, a column for a group. */
export function meansByGroupTable({ readers, groups }: Comparison): Block[] {
  const columns = groups.map((group) => ({ group, ...meansOf(group, readers) }))
  const meanIn = (reader: Reader) =>
    columns.map(({ means }) => means.find((one) => one.reader === reader)?.mean)
  return tableOf({
    caption: 'Accuracy as the mean over tasks, %, strict where a task has that metric, with 95 % intervals',
    columns: columnsOf(
      'reader',
      columns.map(({ group, tasks }) => `${group.name}, ${plural(tasks.length, 'task')}`),
    ),
    rows: readers.flatMap((reader) => {
      const means = meanIn(reader)
      return means.some((mean) => mean !== undefined)
        ? [{ cells: [reader.name, ...means.map(estimateCell)] }]
        : []
    }),
  })
}

/** Over length, a plot for every set of tasks that groups of one length each select. */
export function meanPlots({ readers, groups }: Comparison, among: string): Block[] {
  const ofOneLength = groups.filter(({ filter }) => filter?.lengths?.length === 1)
  const alike = groupBy(ofOneLength, ({ filter }) => JSON.stringify({ ...filter, lengths: [] }))
  const plots = [...alike.values()].map((of) => meanPlot(of, readers, among))
  return [{ type: 'figure', caption: 'Each task weighs the same. Bands are 95 % intervals.', plots }]
}

function meanPlot(groups: readonly SampleGroup[], readers: readonly Reader[], among: string): LinePlot {
  const columns = groups.map((group) => ({ x: group.filter!.lengths![0]!, ...meansOf(group, readers) }))
  return {
    type: 'lines',
    title: `Mean over ${plural(columns[0]!.tasks.length, 'task')}${among && `, ${among}`}`,
    yTitle: '%',
    y: 'share',
    lines: readers.flatMap((reader) => {
      const points = columns.flatMap(({ x, means }) => {
        const { mean } = means.find((one) => one.reader === reader) ?? {}
        return mean ? [{ x, ...mean }] : []
      })
      return points.length === 0 ? [] : [{ name: reader.name, series: reader.style, points }]
    }),
  }
}

/** By `wholeTaskId`: tasks of one name with other options are other tasks. */
type ByTask = ReadonlyMap<string, readonly Observation[]>

function rowsOf(group: SampleGroup, readers: readonly Reader[], first: Reader | undefined): TableRow[] {
  const { tasks, means } = meansOf(group, readers)
  const own = means.find(({ reader, mean }) => reader === first && mean !== undefined)
  const others = means.filter(({ reader }) => reader !== first && isComparable(reader))
  const best = Math.max(...others.map(({ mean }) => mean?.value ?? 0))
  return means.map(({ reader, byTask, mean }) => {
    const isCompared = own !== undefined && mean !== undefined && others.some((one) => one.reader === reader)
    return {
      group: group.name,
      cells: [
        reader.name,
        byTask.size === tasks.length ? count(tasks.length) : `${byTask.size} of ${tasks.length}`,
        count([...byTask.values()].reduce((sum, { length }) => sum + length, 0)),
        estimateCell(mean),
        isCompared
          ? differenceCell(
              differenceOf(tasks, byTask, own.byTask),
              ...(mean.value === best ? ['to the best of the others'] : []),
            )
          : '–',
      ],
    }
  })
}

/** Of each reader that answered in the group; `mean` is undefined unless it answered all of its tasks. */
function meansOf(group: SampleGroup, readers: readonly Reader[]) {
  const answers = readers.map((reader) => ({
    reader,
    byTask: groupBy(group.observations(reader), wholeTaskId) as ByTask,
  }))
  const recorded = new Map(answers.flatMap(({ byTask }) => [...byTask].map(([id, [one]]) => [id, one!.task])))
  const missing = group.filter?.tasks?.filter((name) => ![...recorded.values()].includes(name)) ?? []
  const tasks = [...recorded.keys(), ...missing]
  const means = answers.flatMap(({ reader, byTask }) => {
    if (byTask.size === 0) return []
    const hasAll = tasks.every((task) => byTask.has(task))
    return [{ reader, byTask, mean: hasAll ? meanOf(tasks, byTask) : undefined }]
  })
  return { tasks, means }
}

const meanOf = (tasks: readonly string[], byTask: ByTask) =>
  estimateMeanOverStrata(tasks.map((task) => valueGroups(byTask.get(task)!, main)))

/** For tasks that either answered in part, over the samples that both have. */
const differenceOf = (tasks: readonly string[], from: ByTask, to: ByTask): Interval =>
  meanOfIntervals(tasks.map((task) => difference(pairBySample(from.get(task)!, to.get(task)!), main)))
