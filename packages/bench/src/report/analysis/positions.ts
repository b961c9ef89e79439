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
export const depthsByLength = (
  index: readonly IndexedObservation[],
  tasks: readonly TaskGroup[],
  series: readonly Series[],
): Position[] =>
  tasks.flatMap((task) => {
    const placed = placedOf(task, index)
    const lengths = lengthsOf(placed)
    const isDense = placed.length / (10 * lengths.length * series.length) >= samplesOfTenths
    return depths(task, placed, series, lengths, isDense ? 10 : 5)
  })

/** Fifths over all lengths, per task, by its main metric. */
export const depthsByTask = (
  index: readonly IndexedObservation[],
  tasks: readonly TaskGroup[],
  series: readonly Series[],
): Position[] => tasks.flatMap((task) => depths(task, placedOf(task, index), series, [undefined], 5))

const placedOf = (task: TaskGroup, index: readonly IndexedObservation[]) =>
  index.filter(({ taskId, observation }) => taskId === task.id && observation.depth !== undefined)

/** Number of samples with an answer that are in no part, because their evidence is not in one place. */
export const withoutDepth = (index: readonly IndexedObservation[]): number =>
  index.filter(({ observation }) => isAnswerable(observation) && observation.depth === undefined).length

/** @param lengths undefined: all together @param count into how many parts documents are divided */
function depths(
  task: TaskGroup,
  placed: readonly IndexedObservation[],
  series: readonly Series[],
  lengths: readonly (number | undefined)[],
  count: number,
): Position[] {
  const { mainMetric: name } = task
  if (name === undefined) return []
  return series.flatMap((one) =>
    lengths.flatMap((lengthTokens) => {
      const set = placed.filter(
        (item) => item.seriesId === one.id && [undefined, item.lengthTokens].includes(lengthTokens),
      )
      const groups = groupBy(set, ({ observation: { depth } }) =>
        Math.min(count - 1, Math.floor(depth! * count)),
      )
      return [...groups]
        .sort(([a], [b]) => a - b)
        .map(([part, items]) => ({
          ...{ task, series: one, lengthTokens },
          ...{ fromDepth: part / count, toDepth: (part + 1) / count, metric: name },
          estimate: estimate(
            items.map(({ observation }) => observation),
            metric(name),
          ),
        }))
        .filter((part) => part.estimate.count > 0)
    }),
  )
}
