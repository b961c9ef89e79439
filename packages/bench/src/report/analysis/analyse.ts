/** Everything that a report shows, as numbers. */
import { groupBy } from '../../group-by.ts'
import type { Collection } from '../collect-observations.ts'
import { type Cell, type Cost, cellsOf, costOf, type TaskMean, taskMeans } from './cells.ts'
import { type Difference, differencesOf } from './differences.ts'
import {
  type CodeCount,
  type FailureCount,
  failedCallsOf,
  failuresOf,
  type Holding,
  holdingOf,
  type WarnedAnswers,
  warnedAnswersOf,
} from './failures.ts'
import { indexObservations } from './index-observations.ts'
import { keepsLength, lengthsOf } from './lengths.ts'
import { metricOrder } from './metric-order.ts'
import { depthsByLength, depthsByTask, type Position, withoutDepth } from './positions.ts'
import { findSeries, type Series } from './series.ts'
import { findTasks, type TaskGroup } from './task-group.ts'

export interface Analysis extends Collection {
  /** The reader comes first; the others are compared with it. */
  readonly series: readonly Series[]
  readonly tasks: readonly TaskGroup[]
  readonly metrics: readonly string[]
  /** Ascending. */
  readonly lengths: readonly number[]
  readonly cells: readonly Cell[]
  /** Of `strict` and `lenient`; for questions without an answer only of `strict`, as both are the same there. */
  readonly means: readonly TaskMean[]
  readonly differences: readonly Difference[]
  readonly depthsByLength: readonly Position[]
  readonly depthsByTask: readonly Position[]
  /** Samples with an answer whose evidence is not in one place. */
  readonly withoutDepth: number
  readonly costs: readonly {
    readonly series: Series
    readonly lengthTokens: number
    /** Whether the documents keep their own lengths; these never count together with others. */
    readonly keepsLength: boolean
    readonly cost: Cost
  }[]
  readonly failures: readonly FailureCount[]
  readonly holding: readonly Holding[]
  readonly failedCalls: readonly CodeCount[]
  readonly warnedAnswers: readonly WarnedAnswers[]
}

/** @param reader name of a series or method; by default one with a workflow (`findSeries`) */
export function analyse(
  collection: Collection,
  options: { readonly reader?: string | undefined } = {},
): Analysis {
  const { observations } = collection
  const index = indexObservations(observations)
  const series = findSeries(observations, options.reader)
  const tasks = findTasks(observations)
  const lengths = lengthsOf(index)
  return {
    ...collection,
    series,
    tasks,
    metrics: metricOrder(tasks.flatMap(({ metrics }) => metrics)),
    lengths,
    cells: cellsOf(index, tasks, series),
    means: [true, false].flatMap((answerable) =>
      [false, true].flatMap((own) => {
        const alike = tasks.filter((task) => task.answerable === answerable && task.keepsLength === own)
        const metrics = answerable ? ['strict', 'lenient'] : ['strict']
        return metrics.flatMap((metric) => taskMeans(index, alike, series, metric))
      }),
    ),
    differences: differencesOf(index, tasks, series),
    depthsByLength: depthsByLength(index, tasks, series),
    depthsByTask: depthsByTask(index, tasks, series),
    withoutDepth: withoutDepth(index),
    costs: series.flatMap((one) =>
      lengths.flatMap((lengthTokens) => {
        const set = index
          .filter((item) => item.seriesId === one.id && item.lengthTokens === lengthTokens)
          .map(({ observation }) => observation)
        return [...groupBy(set, keepsLength)].map(([own, alike]) => ({
          series: one,
          lengthTokens,
          keepsLength: own,
          cost: costOf(alike),
        }))
      }),
    ),
    failures: failuresOf(index, series),
    holding: holdingOf(index, series, tasks),
    failedCalls: failedCallsOf(index, series),
    warnedAnswers: warnedAnswersOf(index, series),
  }
}
