/** Every series against the reader, on the samples that both answered. */
import { groupBy } from '../../group-by.ts'
import { type PairedDifference, pairedDifference } from '../../statistics/difference.ts'
import type { Pair } from '../../statistics/newcombe.ts'
import { metricOf } from '../observation.ts'
import type { IndexedObservation } from './index-observations.ts'
import { lengthsOf } from './lengths.ts'
import type { Series } from './series.ts'
import type { TaskGroup } from './task-group.ts'

export interface Difference extends PairedDifference {
  readonly task: TaskGroup
  /** Its mean minus the reader's is the value. */
  readonly series: Series
  /** Undefined: all lengths together, with the lengths of one question as one group. */
  readonly lengthTokens: number | undefined
  readonly metric: string
}

/** @param series the reader first */
export function differencesOf(
  index: readonly IndexedObservation[],
  tasks: readonly TaskGroup[],
  series: readonly Series[],
): Difference[] {
  const [reader, ...others] = series
  const bySeries = new Map(
    series.map(({ id }) => [
      id,
      new Map(index.filter(({ seriesId }) => seriesId === id).map((one) => [one.pairId, one])),
    ]),
  )
  const ofReader = bySeries.get(reader?.id ?? '')
  if (ofReader === undefined) return []
  return tasks.flatMap((task) => {
    const ofTask = index.filter(({ taskId }) => taskId === task.id)
    const lengths = lengthsOf(ofTask)
    return others.flatMap((other) =>
      task.metrics.flatMap((metric) => {
        const pairs = [...ofReader.values()]
          .filter(({ taskId }) => taskId === task.id)
          .flatMap((first) => {
            const second = bySeries.get(other.id)!.get(first.pairId)
            const values = [first, second].map((one) => one && metricOf(one.observation, metric))
            return values.includes(undefined) ? [] : [{ first, pair: values as unknown as Pair }]
          })
        const of = (lengthTokens: number | undefined): Difference[] => {
          const set = pairs.filter(({ first }) => [undefined, first.lengthTokens].includes(lengthTokens))
          if (set.length === 0) return []
          const groups = [...groupBy(set, ({ first }) => first.questionId).values()]
          const difference = pairedDifference(groups.map((group) => group.map(({ pair }) => pair)))
          return [{ task, series: other, lengthTokens, metric, ...difference }]
        }
        return [...lengths.flatMap(of), ...(lengths.length > 1 ? of(undefined) : [])]
      }),
    )
  })
}
