/** The options of a reading. Types only. */
import type { ChatModel, ChatResult } from '../chat/chat.ts'
import type { ConversationCache } from '../chat/conversation-cache.ts'
import type { ModelProfile } from '../chat/profile.ts'
import type { Sampling } from '../chat/sampling.ts'
import type { TextDocument } from '../documents/document.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Conversation, Json, Workflow } from '../workflows/workflow.ts'
import type { CheckpointStore } from './checkpoint.ts'
import type { CutTogether } from './chunk-source.ts'
import type { ReadingLimits } from './limits.ts'
import type { ReadingStart } from './reading-start.ts'

export interface ReadingOptions<State extends Json = Json> {
  /** @default none: general notes are taken */
  readonly question?: string | undefined
  readonly document: TextDocument
  readonly model: ChatModel
  /** @default the first that the profile names, otherwise `overwrite` */
  readonly workflow?: Workflow<State> | undefined
  /** Memory to start from. @default none */
  readonly memory?: string | undefined
  /**
   * Goes on from the memory of earlier readings, with the question it was kept for; `question` is answered from it.
   * @default none
   */
  readonly start?: ReadingStart | undefined
  /** False ends with the memory, to go on from it or to ask questions later. @default true */
  readonly answers?: boolean | undefined
  /** Window, prompts and chunking. @default the model's own, else the paper's */
  readonly profile?: ModelProfile | undefined
  /** @default the model's own, else an estimate */
  readonly tokenizer?: Tokenizer | undefined
  /** Every conversation has its own seed, derived from this one and its place. @default the profile's, with seed 0 */
  readonly sampling?: Sampling | undefined
  /** Concurrent conversations, for workflows that ask several at once and for reading ahead. @default 8 */
  readonly concurrency?: number | undefined
  /**
   * Chunks asked about at the same time as long as the memory does not change, for workflows with `unchanged`; others read in
   * order. `auto`: as many as `concurrency`. Notes and answer are the same, but calls for chunks after a change are wasted: never
   * more than are used. @default 1
   */
  readonly ahead?: number | 'auto' | undefined
  /** Most tokens of an answer that is asked for again. @default all that the window has beside the prompt */
  readonly mostAnswerTokens?: number | undefined
  /** Also answer the question after each step that changed the memory, for a text without an end. @default false */
  readonly renewsAnswer?: boolean | undefined
  readonly checkpoints?: CheckpointStore | undefined
  /** Answers conversations that were held before; these are counted apart. @default none */
  readonly cache?: ConversationCache | undefined
  /**
   * Keep the events of every step beside the checkpoint, and repeat them after `reading-start` when the run is resumed, for
   * listeners that need the whole reading. @default false
   */
  readonly replays?: boolean | undefined
  /** Find the passages that the statements of the memory and of the answer come from. @default false */
  readonly provenance?: boolean | undefined
  /**
   * For training and measuring, which use responses as they are: a model that never writes a usable memory, or a final response
   * without an answer, is not an error, and nothing is asked for twice. @default false
   */
  readonly acceptsSilence?: boolean | undefined
  /** Ask about a document without any text, instead of treating it as a mistake. @default false */
  readonly allowEmpty?: boolean | undefined
  /** Stop before making more, or costlier, calls. @default no limits */
  readonly limits?: ReadingLimits | undefined
  readonly signal?: AbortSignal | undefined
  /** For readings of one text side by side, started by `readQuestions`. @default the text is cut for this one alone */
  readonly together?: CutTogether | undefined
  /** Called with every finished conversation, in the workflow's order; training records them. */
  readonly onConversation?: ((conversation: Conversation, result: ChatResult) => void) | undefined
  /** Milliseconds. @default performance.now */
  readonly now?: (() => number) | undefined
}
