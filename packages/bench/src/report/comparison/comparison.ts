/** What a comparison is of: readers, and the groups of samples that its tables have rows for. */
import { type Analysis, analyse } from '../analysis/analyse.ts'
import { lengthsOf } from '../analysis/lengths.ts'
import { type Series, seriesId } from '../analysis/series.ts'
import type { Column } from '../block.ts'
import { collectObservations, type NamedRecords } from '../collect-observations.ts'
import { count } from '../numbers.ts'
import type { Observation } from '../observation.ts'

/** Who answered, and the answers. */
export interface Reader extends Pick<Series, 'name' | 'style'> {
  readonly observations: readonly Observation[]
}

/** Which samples a row is of. What is left out is not asked for. */
export interface SampleFilter {
  readonly tasks?: readonly string[] | undefined
  readonly lengths?: readonly number[] | undefined
  /** Whether the text has an answer. */
  readonly answerable?: boolean | undefined
  readonly labels?: Readonly<Record<string, string | number | boolean>> | undefined
}

export interface SampleGroup {
  readonly name: string
  readonly observations: (reader: Reader) => readonly Observation[]
}

export interface Comparison {
  /** The first is the one that the others are compared with. */
  readonly readers: readonly Reader[]
  readonly groups: readonly SampleGroup[]
  /** What the groups are: the head of their column. */
  readonly groupTitle: string
  /** Ascending. */
  readonly lengths: readonly number[]
  /** How memories hold what they have. */
  readonly holding: Analysis['holding']
}

export interface ComparisonOptions {
  /** Whom the others are compared with: a name or a method. @default the first that is a workflow */
  readonly reader?: string | undefined
  /** Rows of the tables, by name. @default one for each length */
  readonly groups?: Readonly<Record<string, SampleFilter>> | undefined
}

/** @throws ConfigurationError for files that cannot be read, that hold no record, or samples that cannot be compared */
export async function readComparison(
  files: readonly (string | NamedRecords)[],
  { reader, groups }: ComparisonOptions = {},
): Promise<Comparison> {
  return createComparison(analyse(await collectObservations(files), { reader }), groups)
}

export function createComparison(
  { series, observations, holding }: Pick<Analysis, 'series' | 'observations' | 'holding'>,
  groups?: Readonly<Record<string, SampleFilter>>,
): Comparison {
  const lengths = lengthsOf(observations)
  return {
    readers: series.map((one) => ({
      ...one,
      observations: observations.filter((observation) => seriesId(observation) === one.id),
    })),
    groups: groups
      ? Object.entries(groups).map(([name, filter]) => groupOf(name, filter))
      : lengths.map((length) => groupOf(count(length), { lengths: [length] })),
    groupTitle: groups ? 'samples' : 'tokens',
    lengths,
    holding,
  }
}

const groupOf = (name: string, filter: SampleFilter): SampleGroup => ({
  name,
  observations: ({ observations }) => observations.filter((observation) => isIn(observation, filter)),
})

const isIn = (
  { task, lengthTokens, references, labels }: Observation,
  { tasks, lengths, answerable, labels: wanted = {} }: SampleFilter,
): boolean =>
  (tasks?.includes(task) ?? true) &&
  (lengths?.includes(lengthTokens) ?? true) &&
  (answerable ?? references.length > 0) === references.length > 0 &&
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

export const atLength = (length: number): SampleGroup => groupOf(count(length), { lengths: [length] })

/** A first column of text, then numbers. */
export const columnsOf = (first: string, numbers: readonly string[]): Column[] => [
  { title: first },
  ...numbers.map((title) => ({ title, kind: 'number' as const })),
]
