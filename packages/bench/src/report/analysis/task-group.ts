/**
 * A task as a report shows it: its name, its deviations from a published task, and whether training saw its kind. Questions
 * with and without an answer form two groups, as one number over both hides which kind a method fails.
 */
import { canonicalJson } from '@memagent/core'
import { groupBy } from '../../group-by.ts'
import { oncePerItem } from '../../once-per-item.ts'
import { mainMetric, type Observation } from '../observation.ts'
import { plainText } from '../plain-text.ts'
import { keepsLength, lengthsOf } from './lengths.ts'
import { metricOrder } from './metric-order.ts'

export interface TaskGroup {
  readonly id: string
  /** Lacks the benchmark's name if the task deviates from it; says so if questions have no answer. */
  readonly name: string
  /** The name shared by both groups of a task. */
  readonly title: string
  /** Whether its questions have an answer. */
  readonly answerable: boolean
  readonly options: Readonly<Record<string, unknown>>
  readonly deviations: readonly string[]
  /** Whether all its documents keep their own lengths. */
  readonly keepsLength: boolean
  /** Undefined if unknown, or if records disagree. */
  readonly seenInTraining: boolean | undefined
  /** Metrics that some record has: strict, lenient, then the task's own. For questions without an answer, only the main one. */
  readonly metrics: readonly string[]
  /** The metric that plots show. */
  readonly mainMetric: string | undefined
}

/** Shared by both groups of a task. */
export const wholeTaskId = oncePerItem(({ task, taskOptions, deviations }: Observation): string =>
  canonicalJson([task, taskOptions, deviations]),
)

export const taskId = (observation: Observation): string =>
  canonicalJson([wholeTaskId(observation), isAnswerable(observation)])

export const isAnswerable = ({ references }: Pick<Observation, 'references'>): boolean =>
  references.length > 0

/** Groups with answers first, each sorted by name, numbers by value. */
export function findTasks(observations: readonly Observation[]): TaskGroup[] {
  const groups = [...groupBy(observations, taskId)].map(([id, set]) => {
    const { task, taskOptions: options, deviations } = set[0]!
    const all = metricOrder(set.flatMap(({ metrics }) => Object.keys(metrics)))
    const answerable = isAnswerable(set[0]!)
    const main = mainMetric(all)
    const [seen, ...more] = new Set(set.map(({ seenInTraining }) => seenInTraining))
    return {
      id,
      title: plainText(deviations.length === 0 ? task : withoutBenchmark(task)),
      answerable,
      options,
      deviations,
      // Of documents that are longer than each of several lengths, the lengths still tell which were asked for.
      keepsLength: set.every(keepsLength) && lengthsOf(set).length === 1,
      seenInTraining: more.length === 0 ? seen : undefined,
      metrics: answerable ? all : main === undefined ? [] : [main],
      mainMetric: main,
    }
  })
  const titled = groups.map((group) => {
    const namesakes = groups.filter(
      ({ title, answerable }) => title === group.title && answerable === group.answerable,
    )
    if (namesakes.length === 1) return group
    const difference = Object.entries(group.options)
      .filter(([key, value]) =>
        namesakes.some(({ options }) => canonicalJson(options[key] ?? null) !== canonicalJson(value)),
      )
      .map(([key, value]) => `${key} ${typeof value === 'string' ? value : canonicalJson(value)}`)
    const variant = group.deviations.length > 0 ? ['own variant'] : []
    return { ...group, title: plainText([group.title, ...difference, ...variant].join(', ')) }
  })
  return titled
    .map((group) => ({ ...group, name: group.answerable ? group.title : `${group.title}, no answer` }))
    .sort(
      (a, b) =>
        Number(b.answerable) - Number(a.answerable) || a.name.localeCompare(b.name, 'en', { numeric: true }),
    )
}

/** The title of a task, by its `wholeTaskId`, with the options that tell it apart from others of its name. */
export const titleOf = (id: string, observations: readonly Observation[]): string => {
  const ids = new Set(observations.filter((one) => wholeTaskId(one) === id).map(taskId))
  return findTasks(observations).find((group) => ids.has(group.id))!.title
}

const others = /^(longbench|babilong|mrcr|narrativeqa|memagent-eval)/i

/** Results with deviations do not carry the published benchmark's name. */
const withoutBenchmark = (name: string) =>
  others.test(name)
    ? `after ${name}`
    : name.replace(/(?<![a-z0-9])ruler(?![a-z0-9])[-_/:. ]*/gi, '') || 'own variant'
