/** Events of a reading, in the order they happen. `--events` prints them as JSON lines. Types only. */
import type { TokenUsage } from '../chat/chat.ts'
import type { WindowBudget } from '../chat/profile.ts'
import type { SourceRange } from '../chunking/chunker.ts'
import type { Provenance, TracedStatement } from '../provenance/provenance.ts'
import type { Answer, Json, WorkflowEvent } from '../workflows/workflow.ts'
import type { WaitEvent } from './live-waits.ts'
import type { UnreadText } from './unread.ts'
import type { ReadingWarning } from './warning-log.ts'

export type ReadingEvent =
  | {
      readonly type: 'reading-start'
      readonly document: string
      readonly sizeBytes: number | undefined
      readonly model: string
      readonly workflow: string
      /** The most passes over the text. Undefined: one. */
      readonly passes?: number | undefined
      readonly profile: ProfileInUse
      /** Steps already done, when resumed from a checkpoint. */
      readonly resumedSteps: number
      /** Totals of those steps. */
      readonly usage: ReadingUsage
    }
  | {
      readonly type: 'chunk-end'
      /** Ordinal of the chunk; repeats in every pass over the document. */
      readonly step: number
      readonly tokens: number
      readonly bytes: number
      readonly ranges: readonly SourceRange[]
      readonly usage: TokenUsage
      readonly seconds: number
      /** Calls for this chunk, or one before it, that were made ahead in vain; not included in `usage`. */
      readonly wasted?: CallUsage | undefined
      /** Calls answered from the cache; not included in `usage`. */
      readonly fromCache?: CallUsage | undefined
    }
  | WorkflowEvent
  /** What the memory says since this step, and where it was read; only if sources are looked for. */
  | {
      readonly type: 'sources'
      readonly step: number
      readonly statements: readonly TracedStatement[]
    }
  /** The memory grew or shrank after this chunk: the new budgets of memory and chunk, in tokens. */
  | {
      readonly type: 'budget-change'
      readonly step: number
      readonly memory: number
      readonly chunk: number
    }
  /** A call failed and will be retried after a wait; reported when the wait begins. */
  | WaitEvent
  | AnswerEvent
  /** The answer so far, from a reading that goes on (`renewsAnswer`). */
  | (Omit<AnswerEvent, 'type'> & { readonly type: 'renewed-answer' })
  /** The end of a reading without a question. */
  | NotesEvent

/** What there is to say at the end of a reading. */
export interface ReadingTotals {
  /** Over the whole reading, one entry per code; those that affect an answer make it unsure. */
  readonly warnings: readonly ReadingWarning[]
  /** Chunks read. */
  readonly steps: number
  readonly usage: ReadingUsage
  readonly seconds: number
  /** What the workflow left or passed over. Undefined if all of the text was read. */
  readonly unread?: UnreadText | undefined
  /** Only if it was asked for. */
  readonly provenance?: Provenance | undefined
}

export interface AnswerEvent extends ReadingTotals {
  readonly type: 'answer'
  readonly answer: Answer
  readonly memory: string
}

export interface NotesEvent extends ReadingTotals {
  readonly type: 'notes'
  readonly memory: string
  /** The workflow's state; a question can be asked about it. */
  readonly state: Json
}

export interface ProfileInUse {
  readonly name: string
  readonly prompts: string
  readonly budget: WindowBudget
}

export interface CallUsage extends TokenUsage {
  readonly calls: number
  /** Those whose tokens the server did not report: they are in no number of tokens. Undefined: none. */
  readonly unreportedCalls?: number | undefined
}

/** Totals of one reading, without tokens that the server did not report. */
export interface ReadingUsage extends CallUsage {
  readonly chunkTokens: number
  readonly bytes: number
  /** Rewrites whose result was unusable, so that the previous memory was kept. */
  readonly keptMemories: number
  /** The part spent on calls made ahead in vain, because the memory changed before their chunk. */
  readonly wasted?: CallUsage | undefined
  /** Calls answered from the cache of conversations. They were not made, and are not in the other numbers. */
  readonly fromCache?: CallUsage | undefined
}
