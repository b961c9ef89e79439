/** One line of a benchmark's record: a sample, what a method made of it, and everything needed to look at it again. Types only. */
import type { ByteRange, FinishReason, Outcome } from '@memagent/core'
import type { MethodUsage, TraceEntry } from './method.ts'

/** What was warned of, once, with the steps at which it was. */
export interface RecordedWarning {
  readonly code: string
  readonly message: string
  readonly steps: readonly number[]
}

export interface BenchRecord {
  readonly version: 1
  /** `task/length/index/method/model`: names the line; the runner repeats none that is recorded. */
  readonly key: string
  readonly task: string
  /** Options of the task, as given. */
  readonly taskOptions: Readonly<Record<string, unknown>>
  /** Identity of the files that the questions come from, for tasks of the user's own. */
  readonly taskContent?: string | undefined
  /** Where the task departs from the published one of its name; such results do not carry that name in reports. */
  readonly deviations: readonly string[]
  /** Whether the model saw tasks of this kind in training; undefined when nobody said. */
  readonly seenInTraining?: boolean | undefined
  readonly method: string
  readonly model: string
  readonly workflow?: string | undefined
  readonly lengthTokens: number
  readonly index: number
  readonly seed: number
  readonly sampleId: string
  readonly question: string
  readonly references: readonly string[]
  readonly match: 'any' | 'all'
  readonly evidence: readonly ByteRange[]
  readonly documentBytes: number
  readonly labels: Readonly<Record<string, string | number | boolean>>
  readonly answer: string
  /** `failed` with an `error`, and only then. */
  readonly outcome: Outcome
  /**
   * The final response as the model wrote it, without reasoning; of a failed sample the last one that was to hold the answer.
   * Undefined when no such call was made, and in lines from before responses were recorded.
   */
  readonly response?: string | undefined
  /** Why that response ended. */
  readonly finishReason?: FinishReason | undefined
  /** Undefined in lines from before warnings were recorded. */
  readonly warnings?: readonly RecordedWarning[] | undefined
  /** Named metrics of the task, each 0..1. A failed call has 0 in each. */
  readonly metrics: Readonly<Record<string, number>>
  /** Undefined unless the method failed; such a sample counts as wrong, and as failed too. */
  readonly error?: { readonly code: string; readonly message: string } | undefined
  readonly usage: MethodUsage
  readonly steps: number
  readonly seconds: number
  /** In the currency of the prices given to the run; undefined without prices. */
  readonly price?: number | undefined
  /** Undefined in lines that were recorded without it: nothing is known of their memories. */
  readonly trace?: readonly TraceEntry[] | undefined
  readonly seen?: readonly ByteRange[] | undefined
  /** Window budget and sampling of the run. */
  readonly settings: Readonly<Record<string, unknown>>
  /** ISO 8601. */
  readonly finishedAt: string
}

export type TracedRecord = BenchRecord & { readonly trace: readonly TraceEntry[] }
