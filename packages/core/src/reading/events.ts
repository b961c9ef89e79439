/** Events of a reading, in the order they happen. `--events` prints them as JSON lines. Types only. */
import type { TokenUsage } from '../chat/chat.ts'
import type { SourceRange } from '../chunking/chunker.ts'
import type { Answer } from '../workflows/workflow.ts'

/** What a workflow may report from inside a step. */
export type WorkflowEvent =
  | {
      readonly type: 'memory-end'
      readonly step: number
      readonly slot?: number
      readonly memory: string
      readonly previous: string
      readonly changed: boolean
      /** How the new memory came to be: sampled, or the previous one kept as a fallback. */
      readonly origin: 'sampled' | 'kept'
      readonly tokens: number
    }
  | { readonly type: 'warning'; readonly step: number; readonly code: string; readonly message: string }

export type ReadingEvent =
  | {
      readonly type: 'reading-start'
      readonly document: string
      readonly sizeBytes: number | undefined
      readonly model: string
      readonly workflow: string
      /** Steps already done, when resumed from a checkpoint. */
      readonly resumedSteps: number
      /** Totals of those steps. */
      readonly usage: ReadingUsage
    }
  | {
      readonly type: 'chunk-end'
      /** Ordinal of the chunk; it comes again in every pass over the document. */
      readonly step: number
      readonly tokens: number
      readonly bytes: number
      readonly ranges: readonly SourceRange[]
      readonly usage: TokenUsage
      readonly seconds: number
    }
  | WorkflowEvent
  | {
      readonly type: 'answer'
      readonly answer: Answer
      readonly memory: string
      readonly steps: number
      readonly usage: ReadingUsage
      readonly seconds: number
    }

/** Totals of one reading. Tokens that the server did not report are not counted. */
export interface ReadingUsage extends TokenUsage {
  readonly calls: number
  readonly chunkTokens: number
  readonly bytes: number
  /** Rewrites whose result was not usable, so that the previous memory was kept. */
  readonly keptMemories: number
}
