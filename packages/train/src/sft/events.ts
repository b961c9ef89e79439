/** Events of supervised training. Types only. */
import type { DrawnDocuments } from './draw-batch.ts'
import type { EvaluationResult } from './evaluation.ts'

interface SftMetrics {
  readonly step: number
  readonly loss: number
  readonly rightTokens: number
  readonly gradientNorm: number
  readonly learningRate: number
  /** Tokens of whole conversations, prompts and responses; shared tokens count for each. */
  readonly conversationTokens: number
  /** Tokens that carry loss: responses and hints. */
  readonly targetTokens: number
  readonly documents: DrawnDocuments
  /** Computed tokens: shared ones once, and padding. */
  readonly tokensPerSecond: number
  readonly seconds: number
}

export type SftEvent =
  /** Warnings about the configuration, before it costs anything; about a stopped run, that its last step could not be saved. */
  | { readonly type: 'notice'; readonly message: string }
  | {
      readonly type: 'training-start'
      readonly step: number
      readonly steps: number
      readonly parameters: number
      readonly characters: number
    }
  | ({ readonly type: 'step-end'; readonly steps: number } & SftMetrics)
  | {
      readonly type: 'evaluation-end'
      readonly step: number
      readonly results: EvaluationResult
      readonly seconds: number
    }
  | { readonly type: 'checkpoint-end'; readonly step: number; readonly folder: string }
  | { readonly type: 'training-end'; readonly step: number; readonly folder: string }
