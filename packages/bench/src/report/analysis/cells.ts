/** One cell: a task at a length, answered by a series. */
import { groupBy } from '../../group-by.ts'
import { type Estimate, estimateMeanOverStrata } from '../../statistics/mean.ts'
import type { Observation } from '../observation.ts'
import type { IndexedObservation } from './index-observations.ts'
import { keepsLength, lengthsOf } from './lengths.ts'
import { estimate, metric, sum, valueGroups } from './measures.ts'
import type { Series } from './series.ts'
import type { TaskGroup } from './task-group.ts'

export interface Cell {
  readonly task: TaskGroup
  readonly series: Series
  readonly lengthTokens: number
  readonly count: number
  /** Failed calls, which also count as wrong answers. */
  readonly failed: number
  /** Answers that said "not in the text". */
  readonly notFound: number
  /** Answers with the outcome `unsure`. */
  readonly unsure: number
  /** Answers about documents of their own length. */
  readonly ownLength: number
  readonly metrics: Readonly<Record<string, Estimate>>
  readonly cost: Cost
}

/** Means over the answers that did not fail. NaN if all failed. */
export interface Cost {
  /** Number of answers averaged. */
  readonly count: number
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly embeddedTokens: number
  readonly seconds: number
  /** Undefined when some answer has no price. */
  readonly price: number | undefined
  /** Seconds for a document of a million tokens at the measured pace. NaN if no document has a known length. */
  readonly secondsPerMillion: number
}

/** Ordered by task, length and series. */
export function cellsOf(
  index: IndexedObservation[],
  tasks: readonly TaskGroup[],
  series: readonly Series[],
): Cell[] {
  const groups = groupBy(
    index,
    ({ taskId, lengthTokens, seriesId }) => `${seriesId}\n${lengthTokens}\n${taskId}`,
  )
  const lengths = lengthsOf(index)
  return tasks.flatMap((task) =>
    lengths.flatMap((lengthTokens) =>
      series.flatMap((one) => {
        const set = groups.get(`${one.id}\n${lengthTokens}\n${task.id}`)
        return set === undefined ? [] : [cellOf(task, one, lengthTokens, set)]
      }),
    ),
  )
}

function cellOf(
  task: TaskGroup,
  series: Series,
  lengthTokens: number,
  set: readonly IndexedObservation[],
): Cell {
  const observations = set.map(({ observation }) => observation)
  return {
    task,
    series,
    lengthTokens,
    count: set.length,
    failed: observations.filter(({ error }) => error !== undefined).length,
    notFound: observations.filter(({ outcome }) => outcome === 'not-found').length,
    unsure: observations.filter(({ outcome }) => outcome === 'unsure').length,
    ownLength: observations.filter(keepsLength).length,
    metrics: Object.fromEntries(task.metrics.map((name) => [name, estimate(observations, metric(name))])),
    cost: costOf(observations),
  }
}

export function costOf(all: readonly Observation[]): Cost {
  const set = all.filter(({ error }) => error === undefined)
  const mean = (of: (observation: Observation) => number) => sum(set, of) / set.length
  const hasPrices = set.length > 0 && set.every(({ price }) => price !== undefined)
  return {
    count: set.length,
    calls: mean(({ usage }) => usage.calls),
    promptTokens: mean(({ usage }) => usage.promptTokens),
    completionTokens: mean(({ usage }) => usage.completionTokens),
    embeddedTokens: mean(({ usage }) => usage.embeddedTokens ?? 0),
    seconds: mean(({ seconds }) => seconds),
    price: hasPrices ? mean(({ price }) => price!) : undefined,
    secondsPerMillion: secondsPerMillion(set),
  }
}

/** Over documents of a known length. NaN if there are none. */
export function secondsPerMillion(all: readonly Observation[]): number {
  const set = all.filter((one) => !keepsLength(one))
  return (1e6 * sum(set, ({ seconds }) => seconds)) / sum(set, ({ lengthTokens }) => lengthTokens)
}

/** Mean over tasks of equal weight, for questions with an answer or for those without. */
export interface TaskMean {
  readonly series: Series
  readonly answerable: boolean
  readonly keepsLength: boolean
  readonly lengthTokens: number
  readonly metric: string
  readonly estimate: Estimate
}

/**
 * Only for series that have every task with this metric: means over fewer tasks are not comparable.
 * @param tasks all with answers or all without; all of requested lengths or all of their own
 */
export function taskMeans(
  index: readonly IndexedObservation[],
  tasks: readonly TaskGroup[],
  series: readonly Series[],
  name: string,
): TaskMean[] {
  const wanted = tasks.filter(({ metrics }) => metrics.includes(name))
  const groups = groupBy(index, ({ seriesId, lengthTokens }) => `${seriesId}\n${lengthTokens}`)
  return lengthsOf(index).flatMap((lengthTokens) =>
    series.flatMap((one) => {
      const set = groups.get(`${one.id}\n${lengthTokens}`) ?? []
      const strata = wanted.map(({ id }) =>
        valueGroups(
          set.filter(({ taskId }) => taskId === id).map(({ observation }) => observation),
          metric(name),
        ),
      )
      if (wanted.length === 0 || strata.some(({ length }) => length === 0)) return []
      const { answerable, keepsLength } = wanted[0]!
      const estimate = estimateMeanOverStrata(strata)
      return [{ series: one, answerable, keepsLength, lengthTokens, metric: name, estimate }]
    }),
  )
}
