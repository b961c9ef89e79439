/** Accuracy by the position of the evidence. */
import { groupBy } from '../../group-by.ts'
import type { Estimate } from '../../statistics/mean.ts'
import type { IndexedObservation } from './index-observations.ts'
import { lengthsOf } from './lengths.ts'
import { estimate, metric } from './measures.ts'
import type { Series } from './series.ts'
import { isAnswerable, type TaskGroup } from './task-group.ts'

export interface Position {
  readonly task: TaskGroup
  readonly series: Series
  /** Undefined: all lengths together. */
  readonly lengthTokens: number | undefined
  /** Bounds of this part of the document, 0..1; the end is excluded, except 1. */
  readonly fromDepth: number
  readonly toDepth: number
  readonly metric: string
  readonly estimate: Estimate
}

/** Documents are divided into tenths if each tenth has this many samples on average, otherwise into fifths. */
const samplesOfTenths = 8

/** Tenths or fifths at each length, per task, by its main metric: what heat maps show. */
export function depthsByLength(
  index: readonly IndexedObservation[],
  tasks: readonly TaskGroup[],
  series: readonly Series[],
): Position[] {
  const placed = index.filter(({ observation }) => observation.depth !== undefined)
  return tasks.flatMap((task) => {
    const { mainMetric } = task
    const ofTask = placed.filter(({ taskId }) => taskId === task.id)
    const lengths = lengthsOf(ofTask)
    const count = ofTask.length / (10 * lengths.length * series.length) >= samplesOfTenths ? 10 : 5
    if (mainMetric === undefined) return []
    return series.flatMap((one) =>
      lengths.flatMap((lengthTokens) => {
        const cell = ofTask.filter((item) => item.seriesId === one.id && item.lengthTokens === lengthTokens)
        return parts(cell, count, mainMetric).map((part) => ({ task, series: one, lengthTokens, ...part }))
      }),
    )
  })
}

/** Fifths over all lengths, per task, by its main metric. */
export function depthsByTask(
  index: readonly IndexedObservation[],
  tasks: readonly TaskGroup[],
  series: readonly Series[],
): Position[] {
  return tasks.flatMap((task) =>
    series.flatMap((one) => {
      const { mainMetric } = task
      const set = index.filter((item) => item.taskId === task.id && item.seriesId === one.id)
      if (mainMetric === undefined) return []
      return parts(set, 5, mainMetric).map((part) => ({
        task,
        series: one,
        lengthTokens: undefined,
        ...part,
      }))
    }),
  )
}

/** Number of samples with an answer that are in no part, because their evidence is not in one place. */
export const withoutDepth = (index: readonly IndexedObservation[]): number =>
  index.filter(({ observation }) => isAnswerable(observation) && observation.depth === undefined).length

function parts(set: readonly IndexedObservation[], count: number, name: string) {
  const partOf = ({ observation }: IndexedObservation) =>
    Math.min(count - 1, Math.floor(observation.depth! * count))
  const groups = groupBy(
    set.filter(({ observation }) => observation.depth !== undefined),
    partOf,
  )
  return Array.from({ length: count }, (_, part) => ({
    fromDepth: part / count,
    toDepth: (part + 1) / count,
    metric: name,
    estimate: estimate(groups.get(part)?.map(({ observation }) => observation) ?? [], metric(name)),
  })).filter((part) => part.estimate.count > 0)
}
