/** A recorded sample without its trace: what tables and plots use. */
import { type Diagnosis, diagnose } from '../diagnosis/diagnose.ts'
import type { BenchRecord } from '../record.ts'
import { type MemoryCourse, memoryCourseOf } from './memory-course.ts'

export interface Observation extends Omit<BenchRecord, 'trace' | 'seen'> {
  readonly path: string
  /** The report's name for the reader, if the method alone does not identify it. */
  readonly reader?: string | undefined
  readonly diagnosis: Diagnosis
  /** Position of the evidence, from 0 (the document's start) to 1 (its end); undefined unless it is in one place. */
  readonly depth: number | undefined
  readonly finalMemory: string
  /** Undefined if none of the method's samples shows a memory (`collectObservations`). */
  readonly memory: MemoryCourse | undefined
}

export function observe(record: BenchRecord, path: string, reader?: string): Observation {
  const { trace, seen, ...rest } = record
  return {
    ...rest,
    path,
    reader,
    diagnosis: diagnose(record, isRight(record)),
    depth: depthOf(record),
    finalMemory: trace?.at(-1)?.memory ?? '',
    memory: memoryCourseOf(record),
  }
}

/** `strict` or, for tasks without it, the first metric they name except `sub_em`, which accepts a part of the answer. */
export const mainMetric = (metrics: readonly string[]): string | undefined =>
  metrics.includes('strict') ? 'strict' : metrics.find((metric) => metric !== 'sub_em')

/** Undefined if the task has no such metric. A failed call has 0 in each, or in any metric if its record names none. */
export function metricOf({ metrics, error }: Pick<BenchRecord, 'metrics' | 'error'>, metric: string) {
  if (!error) return metrics[metric]
  const names = Object.keys(metrics)
  return names.length === 0 || names.includes(metric) ? 0 : undefined
}

function isRight(record: BenchRecord): boolean {
  const metric = mainMetric(Object.keys(record.metrics))
  return metric !== undefined && metricOf(record, metric) === 1
}

/** Evidence in several places has a depth only if all of it lies within a tenth of the document. */
function depthOf({ evidence, documentBytes }: BenchRecord): number | undefined {
  if (evidence.length === 0 || documentBytes === 0) return undefined
  const start = Math.min(...evidence.map(({ startByte }) => startByte))
  const end = Math.max(...evidence.map(({ endByte }) => endByte))
  const isOnePlace = evidence.length === 1 || end - start <= documentBytes / 10
  return isOnePlace ? Math.min(1, (start + end) / 2 / documentBytes) : undefined
}
