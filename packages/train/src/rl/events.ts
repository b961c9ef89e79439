/** Events of a training run. Types only. */
import type { EvaluationAtLength } from './evaluate.ts'
import type { StepMetrics } from './step-metrics.ts'

export type RlEvent =
  /** Warnings about the configuration, before it costs anything; about a stopped run, that its last step could not be saved. */
  | { readonly type: 'notice'; readonly message: string }
  | {
      readonly type: 'training-start'
      readonly step: number
      readonly steps: number
      readonly parameters: number | undefined
    }
  | {
      readonly type: 'step-end'
      readonly step: number
      readonly steps: number
      readonly metrics: StepMetrics
    }
  | {
      readonly type: 'evaluation-end'
      readonly step: number
      /** Identity of the questions and their scoring: results with another one do not compare. */
      readonly identity: string
      readonly results: readonly EvaluationAtLength[]
      readonly isBest: boolean
      /** Where the best weights so far are saved, as `createPolicy` takes it. */
      readonly bestState: string | undefined
      readonly seconds: number
    }
  | { readonly type: 'checkpoint-end'; readonly step: number }
  | {
      readonly type: 'training-end'
      readonly step: number
      /** A model that can be served; undefined if the server keeps the weights. */
      readonly folder: string | undefined
      /** Where the last and the best weights are saved, as `createPolicy` takes them. */
      readonly state: string
      readonly bestState: string | undefined
    }
