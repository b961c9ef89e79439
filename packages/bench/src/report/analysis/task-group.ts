/** A task as a report shows it: its name, how it departs from a published one, whether training had seen its kind. */
import { canonicalJson } from '../canonical-json.ts'
import { mainMetric, type Observation } from '../observation.ts'
import { plainText } from '../plain-text.ts'
import { metricOrder } from './metric-order.ts'

export interface TaskGroup {
  readonly id: string
  /** Without the benchmark's name where the task departs from it. */
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  readonly deviations: readonly string[]
  /** Undefined when nobody said, or not for all of its records the same. */
  readonly seenInTraining: boolean | undefined
  /** Those that some record has: strict, lenient, then the task's own. */
  readonly metrics: readonly string[]
  /** The one that plots show. */
  readonly mainMetric: string | undefined
}

export const taskId = ({ task, taskOptions, deviations }: Observation): string =>
  canonicalJson([task, taskOptions, deviations])

/** In alphabetical order, numbers by their size. */
export function findTasks(observations: readonly Observation[]): TaskGroup[] {
  const groups = [...Map.groupBy(observations, taskId)].map(([id, set]) => {
    const { task, taskOptions: options, deviations } = set[0]!
    const metrics = metricOrder(set.flatMap(({ metrics }) => Object.keys(metrics)))
    const [seen, ...more] = new Set(set.map(({ seenInTraining }) => seenInTraining))
    return {
      id,
      name: plainText(deviations.length === 0 ? task : withoutBenchmark(task)),
      options,
      deviations,
      seenInTraining: more.length === 0 ? seen : undefined,
      metrics,
      mainMetric: mainMetric(metrics),
    }
  })
  const named = groups.map((group) => {
    const namesakes = groups.filter(({ name }) => name === group.name)
    if (namesakes.length === 1) return group
    const difference = Object.entries(group.options)
      .filter(([key, value]) =>
        namesakes.some(({ options }) => canonicalJson(options[key] ?? null) !== canonicalJson(value)),
      )
      .map(([key, value]) => `${key} ${typeof value === 'string' ? value : canonicalJson(value)}`)
    const variant = group.deviations.length > 0 ? ['own variant'] : []
    return { ...group, name: plainText([group.name, ...difference, ...variant].join(', ')) }
  })
  return named.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

const others = /^(longbench|babilong|mrcr|narrativeqa|memagent-eval)/i

/** Results with deviations do not carry the published benchmark's name. */
const withoutBenchmark = (name: string) =>
  others.test(name)
    ? `after ${name}`
    : name.replace(/(?<![a-z0-9])ruler(?![a-z0-9])[-_/:. ]*/gi, '') || 'own variant'
