/** What a comparison covers: readers, and the groups of samples that are rows of its tables. */
import type { Analysis } from '../analysis/analyse.ts'
import { holdingOf } from '../analysis/failures.ts'
import { indexObservations } from '../analysis/index-observations.ts'
import { lengthsOf } from '../analysis/lengths.ts'
import { findSeries, type Series, seriesId, unknownSeries } from '../analysis/series.ts'
import { findTasks, isAnswerable } from '../analysis/task-group.ts'
import {
  type Collection,
  collectObservations,
  type NamedRecords,
  type Source,
} from '../collect-observations.ts'
import { count } from '../numbers.ts'
import type { Observation } from '../observation.ts'

/** A series and its answers. */
export interface Reader extends Pick<Series, 'name' | 'style' | 'trained'> {
  readonly observations: readonly Observation[]
}

/** Selects the samples of a row; a missing field matches everything. */
export interface SampleFilter {
  readonly tasks?: readonly string[] | undefined
  readonly lengths?: readonly number[] | undefined
  /** Whether the text has an answer. */
  readonly answerable?: boolean | undefined
  readonly labels?: Readonly<Record<string, string | number | boolean>> | undefined
}

export interface SampleGroup {
  readonly name: string
  readonly filter?: SampleFilter | undefined
  readonly observations: (reader: Reader) => readonly Observation[]
}

export interface Comparison {
  /** The others are compared with the first. */
  readonly readers: readonly Reader[]
  readonly groups: readonly SampleGroup[]
  /** Title of the groups' column. */
  readonly groupTitle: string
  /** Ascending. */
  readonly lengths: readonly number[]
  /** How well memories keep what they hold. */
  readonly holding: Analysis['holding']
  /** Undefined unless it was read from files. */
  readonly sources?: readonly Source[] | undefined
}

export interface ComparisonOptions {
  /** Name or method that the others are compared with. @default the first that is a workflow */
  readonly reader?: string | undefined
  /** Names or methods to compare with the reader. @default all others */
  readonly against?: readonly string[] | undefined
  /** Rows of the tables, by name. @default one for each length */
  readonly groups?: Readonly<Record<string, SampleFilter>> | undefined
}

/** @throws ConfigurationError for unreadable files, files without a record, and samples that cannot be compared */
export const readComparison = async (
  files: readonly (string | NamedRecords)[],
  options?: ComparisonOptions,
): Promise<Comparison> => compare(await collectObservations(files), options)

/** @throws ConfigurationError for samples that cannot be compared, and for unknown names */
export function compare(
  { observations, sources }: Collection,
  { reader, against, groups }: ComparisonOptions = {},
): Comparison {
  const series = findSeries(observations, reader)
  const holding = holdingOf(indexObservations(observations), series, findTasks(observations))
  const comparison = createComparison(
    { series, observations, holding },
    groups,
    against && chosenOf(series, against),
  )
  return { ...comparison, sources }
}

/** The reader and the named series. @throws ConfigurationError for an unknown name */
function chosenOf(series: readonly Series[], against: readonly string[]): Series[] {
  const isNamed = (name: string, one: Series) => one.name === name || one.method === name
  const unknown = against.find((name) => !series.some((one) => isNamed(name, one)))
  if (unknown !== undefined) throw unknownSeries(unknown, series)
  return series.filter((one, i) => i === 0 || against.some((name) => isNamed(name, one)))
}

export function createComparison(
  { series: all, observations, holding }: Pick<Analysis, 'series' | 'observations' | 'holding'>,
  groups?: Readonly<Record<string, SampleFilter>>,
  series = all,
): Comparison {
  const lengths = lengthsOf(observations)
  return {
    readers: series.map((one) => ({
      ...one,
      observations: observations.filter((observation) => seriesId(observation) === one.id),
    })),
    groups: groups
      ? Object.entries(groups).map(([name, filter]) => groupOf(name, filter))
      : lengths.map(atLength),
    groupTitle: groups ? 'samples' : 'tokens',
    lengths,
    holding,
  }
}

const groupOf = (name: string, filter: SampleFilter): SampleGroup => ({
  name,
  filter,
  observations: ({ observations }) => observations.filter((observation) => isIn(observation, filter)),
})

const isIn = (
  { task, lengthTokens, references, labels }: Observation,
  { tasks, lengths, answerable, labels: wanted = {} }: SampleFilter,
): boolean =>
  (tasks?.includes(task) ?? true) &&
  (lengths?.includes(lengthTokens) ?? true) &&
  [undefined, isAnswerable({ references })].includes(answerable) &&
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

export const atLength = (length: number): SampleGroup => groupOf(count(length), { lengths: [length] })
