/** Every series against the reader, on the samples that both answered. */
import type { PairedDifference } from '../../statistics/difference.ts'
import type { IndexedObservation } from './index-observations.ts'
import { lengthsOf } from './lengths.ts'
import { difference, metric, pairBySample } from './measures.ts'
import { isComparable, type Series } from './series.ts'
import type { TaskGroup } from './task-group.ts'

export interface Difference extends PairedDifference {
  readonly task: TaskGroup
  /** `value` is this series' mean minus the reader's. */
  readonly series: Series
  /** Undefined: all lengths together; a question's lengths form one group. */
  readonly lengthTokens: number | undefined
  readonly metric: string
}

/** @param series the reader first */
export function differencesOf(
  index: readonly IndexedObservation[],
  tasks: readonly TaskGroup[],
  series: readonly Series[],
): Difference[] {
  const [reader, ...others] = series.filter(isComparable)
  return tasks.flatMap((task) => {
    const ofTask = index.filter(({ taskId }) => taskId === task.id)
    const answersOf = (one: Series | undefined) =>
      ofTask.filter(({ seriesId }) => seriesId === one?.id).map(({ observation }) => observation)
    const ofReader = answersOf(reader)
    const lengths = lengthsOf(ofTask)
    return others.flatMap((other) => {
      const pairs = pairBySample(ofReader, answersOf(other))
      return task.metrics.flatMap((name) => {
        const of = (lengthTokens: number | undefined): Difference[] => {
          const set = pairs.filter(([first]) => [undefined, first.lengthTokens].includes(lengthTokens))
          const found = difference(set, metric(name))
          return found.pairs === 0 ? [] : [{ task, series: other, lengthTokens, metric: name, ...found }]
        }
        return [...lengths.flatMap(of), ...(lengths.length > 1 ? of(undefined) : [])]
      })
    })
  })
}
