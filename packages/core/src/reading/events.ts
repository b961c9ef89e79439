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
      /** How often the text is read at most. Undefined: once. */
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
      /** Calls for this chunk, or one before it, that were made ahead for nothing: beside `usage`. */
      readonly wasted?: CallUsage | undefined
      /** Calls that were answered from the cache: beside `usage`. */
      readonly fromCache?: CallUsage | undefined
    }
  | WorkflowEvent
  /** What the memory says since this step, and where it was read; where sources are looked for. */
  | {
      readonly type: 'sources'
      readonly step: number
      readonly statements: readonly TracedStatement[]
    }
  /** The memory has grown or shrunk after this chunk: tokens that memory and chunk have from here on. */
  | {
      readonly type: 'budget-change'
      readonly step: number
      readonly memory: number
      readonly chunk: number
    }
  /** A call failed and will be retried after a wait; reported when the wait begins. */
  | WaitEvent
  | AnswerEvent
  /** The answer so far, of a reading that goes on (`renewsAnswer`). */
  | (Omit<AnswerEvent, 'type'> & { readonly type: 'renewed-answer' })
  /** How a reading without a question ends. */
  | NotesEvent

export interface AnswerEvent {
  readonly type: 'answer'
  readonly answer: Answer
  /** For the whole reading, one entry per code; those that affect the answer make it unsure. */
  readonly warnings: readonly ReadingWarning[]
  readonly memory: string
  readonly steps: number
  readonly usage: ReadingUsage
  readonly seconds: number
  /** What the workflow left or passed over. Undefined: all of the text was read. */
  readonly unread?: UnreadText | undefined
  /** Where it was asked for. */
  readonly provenance?: Provenance | undefined
}

export interface NotesEvent {
  readonly type: 'notes'
  readonly memory: string
  /** The workflow's: a question can be asked about it. */
  readonly state: Json
  /** For the whole reading, one entry per code. */
  readonly warnings: readonly ReadingWarning[]
  readonly steps: number
  readonly usage: ReadingUsage
  readonly seconds: number
  /** As of an answer. */
  readonly unread?: UnreadText | undefined
  readonly provenance?: Provenance | undefined
}

/** The profile that the model is read with. */
export interface ProfileInUse {
  readonly name: string
  readonly prompts: string
  readonly budget: WindowBudget
}

export interface CallUsage extends TokenUsage {
  readonly calls: number
}

/** Totals of one reading; without tokens that the server did not report. */
export interface ReadingUsage extends CallUsage {
  readonly chunkTokens: number
  readonly bytes: number
  /** Rewrites whose result was unusable, so that the previous memory was kept. */
  readonly keptMemories: number
  /** What of it went into calls that were made ahead for nothing, since the memory changed before. */
  readonly wasted?: CallUsage | undefined
  /** Calls that were answered from the cache of conversations. They were not made, and are not in the other numbers. */
  readonly fromCache?: CallUsage | undefined
}
