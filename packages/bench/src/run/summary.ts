/** A run's counts, failures, metrics and cost by task, length and method, and by whether questions have an answer. */
import { metricOf } from '../report/observation.ts'
import type { Job } from './plan.ts'
import type { RecordedSample } from './record-file.ts'

export interface BenchTotals {
  /** Samples with a record. */
  readonly samples: number
  /** Samples whose method failed; they count as wrong. */
  readonly failed: number
  readonly calls: number
  /** NaN if the server did not report those of some call. */
  readonly promptTokens: number
  readonly completionTokens: number
  /** Sum over all samples, as if they had been read one after another. */
  readonly seconds: number
  /** Undefined unless every sample has one. */
  readonly price?: number | undefined
}

export interface BenchGroup extends BenchTotals {
  readonly task: string
  readonly lengthTokens: number
  readonly method: string
  /** Whether the questions have an answer; the two kinds are never averaged together. */
  readonly answerable: boolean
  /** Means over the samples that have the metric; a failed sample has 0 in each of its own. */
  readonly metrics: Readonly<Record<string, number>>
}

export interface BenchSummary extends BenchTotals {
  readonly output?: string | undefined
  readonly model: string
  readonly planned: number
  /** Samples asked in this run; the others were already recorded. */
  readonly asked: number
  /** Error codes, with the number of samples for each. */
  readonly errors: Readonly<Record<string, number>>
  readonly groups: readonly BenchGroup[]
}

export function summarize(
  jobs: readonly Job[],
  recorded: ReadonlyMap<string, RecordedSample>,
): Pick<BenchSummary, keyof BenchTotals | 'planned' | 'errors' | 'groups'> {
  const groups = new Map<string, RecordedSample[]>()
  const all: RecordedSample[] = []
  const errors: Record<string, number> = {}
  for (const { key } of jobs) {
    const sample = recorded.get(key)
    if (!sample) continue
    all.push(sample)
    const answerable = sample.references.length > 0
    const id = JSON.stringify([sample.task, sample.lengthTokens, sample.method, answerable])
    const group = groups.get(id)
    if (group) group.push(sample)
    else groups.set(id, [sample])
    if (sample.error) errors[sample.error.code] = (errors[sample.error.code] ?? 0) + 1
  }
  return {
    planned: jobs.length,
    ...totals(all),
    errors,
    groups: [...groups.values()].map((samples) => {
      const { task, lengthTokens, method, references } = samples[0]!
      const answerable = references.length > 0
      return { task, lengthTokens, method, answerable, ...totals(samples), metrics: means(samples) }
    }),
  }
}

function totals(samples: readonly RecordedSample[]): BenchTotals {
  const sum = (amountOf: (sample: RecordedSample) => number) =>
    samples.reduce((total, sample) => total + amountOf(sample), 0)
  return {
    samples: samples.length,
    failed: sum(({ error }) => (error ? 1 : 0)),
    calls: sum(({ usage }) => usage.calls),
    promptTokens: sum(({ usage }) => usage.promptTokens),
    completionTokens: sum(({ usage }) => usage.completionTokens),
    seconds: sum(({ seconds }) => seconds),
    price: samples.every(({ price }) => price !== undefined) ? sum(({ price }) => price!) : undefined,
  }
}

function means(samples: readonly RecordedSample[]): Record<string, number> {
  const names = new Set(samples.flatMap(({ metrics }) => Object.keys(metrics)))
  return Object.fromEntries(
    [...names].map((name) => {
      const values = samples.map((sample) => metricOf(sample, name)).filter((value) => value !== undefined)
      return [name, values.reduce((sum, value) => sum + value, 0) / values.length]
    }),
  )
}
