/** What a reading is asked to do. Types only. */
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
  /** Notes to start from. @default none */
  readonly memory?: string | undefined
  /**
   * Goes on from the memory of earlier readings, for the question that it is kept for; `question` is answered from it.
   * @default none
   */
  readonly start?: ReadingStart | undefined
  /** False: ends with the memory, for readings that go on from it and questions that are asked later. @default true */
  readonly answers?: boolean | undefined
  /** Window, prompts and chunking. @default the model's own, else the paper's */
  readonly profile?: ModelProfile | undefined
  /** @default the model's own, else an estimate */
  readonly tokenizer?: Tokenizer | undefined
  /** Every conversation has a seed of its own, made from this one and its place. @default the profile's, with seed 0 */
  readonly sampling?: Sampling | undefined
  /** Conversations at a time, for workflows that ask several at once and for reading ahead. @default 8 */
  readonly concurrency?: number | undefined
  /**
   * Chunks that may be asked about at the same time as long as the memory does not change, for workflows that can
   * (`unchanged`); others read in order. `auto`: as many as `concurrency`. Notes and answer are the same, but calls
   * for chunks behind a change are wasted: never more than are used. @default 1
   */
  readonly ahead?: number | 'auto' | undefined
  /** Answer the question after each step that changed the memory, too: for a text that goes on without an end. @default false */
  readonly renewsAnswer?: boolean | undefined
  readonly checkpoints?: CheckpointStore | undefined
  /** Conversations that were held before are answered from it, and counted apart. @default none */
  readonly cache?: ConversationCache | undefined
  /**
   * Keep the events of every step beside the checkpoint, and repeat them after `reading-start` when the run is resumed:
   * for what is to know the whole reading. @default false
   */
  readonly replays?: boolean | undefined
  /** Find the passages that the statements of the memory and of the answer come from. @default false */
  readonly provenance?: boolean | undefined
  /**
   * For training and measuring, where responses are used as they are: that the model never wrote a usable memory, or that
   * its final response contains no answer, is not an error, and nothing is asked for twice. @default false
   */
  readonly acceptsSilence?: boolean | undefined
  /**
   * Ask about a document without any text as well, instead of taking it for a mistake. @default false
   */
  readonly allowEmpty?: boolean | undefined
  /** Stop before more calls, or costlier ones, are made. @default no limits */
  readonly limits?: ReadingLimits | undefined
  readonly signal?: AbortSignal | undefined
  /** Of readings of one text side by side, which `readQuestions` begins. @default the text is cut for this one alone */
  readonly together?: CutTogether | undefined
  /** Called with every finished conversation, in the order of the workflow: what training records. */
  readonly onConversation?: ((conversation: Conversation, result: ChatResult) => void) | undefined
  /** Milliseconds. @default performance.now */
  readonly now?: (() => number) | undefined
}
