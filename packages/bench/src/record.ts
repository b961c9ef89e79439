/** One line of a benchmark's record: a sample, a method's answer, and everything needed to examine it later. Types only. */
import type { ByteRange, FinishReason, Outcome } from '@memagent/core'
import type { MethodUsage, TraceEntry } from './method.ts'

/** A warning, recorded once with the steps at which it occurred. */
export interface RecordedWarning {
  readonly code: string
  readonly message: string
  readonly steps: readonly number[]
}

export interface BenchRecord {
  readonly version: 1
  /** `task/length/index/method/model`: identifies the line; the runner skips keys it has recorded. */
  readonly key: string
  readonly task: string
  /** Options of the task, as given. */
  readonly taskOptions: Readonly<Record<string, unknown>>
  /** Identity of the files that the questions come from; undefined for tasks that make their own, and in old lines. */
  readonly taskContent?: string | undefined
  /** Deviations from the published task of this name; reports do not give such results that name. */
  readonly deviations: readonly string[]
  /** Whether the model saw tasks of this kind in training; undefined if unknown. */
  readonly seenInTraining?: boolean | undefined
  /**
   * Whether the model was trained for the workflow whose conversations the method holds; undefined if the profile does not
   * say, for methods with instructions of their own, and in old lines.
   */
  readonly trained?: boolean | undefined
  readonly method: string
  readonly model: string
  readonly workflow?: string | undefined
  readonly lengthTokens: number
  /** The document keeps its own length, and `lengthTokens` is only a name. Undefined for others and in old lines. */
  readonly keepsLength?: boolean | undefined
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
  /** `failed` if and only if there is an `error`. */
  readonly outcome: Outcome
  /**
   * The final response as the model wrote it, without reasoning; for a failed sample, the last response that should have held
   * the answer. Undefined if there was no such call, and in old lines.
   */
  readonly response?: string | undefined
  /** Finish reason of that response. */
  readonly finishReason?: FinishReason | undefined
  /** Undefined in old lines. */
  readonly warnings?: readonly RecordedWarning[] | undefined
  /** Named metrics of the task, each 0..1. All are 0 for a failed call. */
  readonly metrics: Readonly<Record<string, number>>
  /** Set if the method failed; the sample then counts as both wrong and failed. */
  readonly error?: { readonly code: string; readonly message: string } | undefined
  readonly usage: MethodUsage
  readonly steps: number
  readonly seconds: number
  /** In the currency of the prices given to the run; undefined without prices. */
  readonly price?: number | undefined
  /** Undefined in lines recorded without a trace, whose memories are unknown. */
  readonly trace?: readonly TraceEntry[] | undefined
  readonly seen?: readonly ByteRange[] | undefined
  /** The memagent version that asked, with its commit if known. Undefined in old lines. */
  readonly program?: string | undefined
  /** Window budget and sampling of the run. */
  readonly settings: Readonly<Record<string, unknown>>
  /** ISO 8601. */
  readonly finishedAt: string
}

export type TracedRecord = BenchRecord & { readonly trace: readonly TraceEntry[] }
