/**
 * A workflow is a function over a chat function: it asks for independent conversations and knows nothing of HTTP, of
 * training or of storage. The same object runs in the CLI, in the benchmark and inside training.
 */
import type { ChatResult, FinishReason } from '../chat/chat.ts'
import type { Message } from '../chat/message.ts'
import type { WindowBudget } from '../chat/profile.ts'
import type { Chunk } from '../chunking/chunker.ts'
import type { PromptPlaces, Prompts, WorkflowPrompts } from './prompts/prompts.ts'

/** JSON-serializable and small, so that every step is a checkpoint. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** What a conversation was for, so that training can group and reward it. */
export interface ConversationTag {
  /** Chunk ordinal; the number of chunks read for the answer. */
  readonly step: number
  /** `update`, `answer`, or the workflow's own word (`gate`, `query`, `merge`, ...). */
  readonly kind: string
  /** Which of several memories or orders of a section, or how often reports were merged before. @default 0 */
  readonly slot?: number | undefined
  /** Which pass over the document. @default 0 */
  readonly pass?: number | undefined
}

export interface Conversation {
  readonly messages: readonly Message[]
  readonly maxTokens: number
  readonly tag: ConversationTag
  readonly stop?: readonly string[] | undefined
  readonly draft?: string | undefined
}

/**
 * How a reading ended. `not-found`: the whole text was read, and the model found no answer in it. `unsure`: there is an answer, or
 * a "not found", and a warning that says why it may be wrong. `failed` is never an answer but a thrown error.
 */
export type Outcome = 'found' | 'not-found' | 'unsure' | 'failed'

export interface Answer {
  /** The answer itself; empty where the model gave none. */
  readonly text: string
  readonly outcome: Exclude<Outcome, 'failed'>
  /** The whole final response; undefined when no call was needed. */
  readonly response?: string | undefined
  /** Of the final response. */
  readonly finishReason?: FinishReason | undefined
  /** The response neither answers nor says "not in the text": where silence is accepted, and where its box is empty. @default false */
  readonly isUnusable?: boolean | undefined
}

/** What a workflow may report from inside a step. */
export type WorkflowEvent =
  | {
      readonly type: 'memory-end'
      readonly step: number
      /** Which of several memories was written. `memory` and `previous` show all of them. */
      readonly slot?: number
      /** As the workflow's `memory` shows it. */
      readonly memory: string
      readonly previous: string
      readonly changed: boolean
      /** How the new memory came to be: sampled, or the previous one kept as a fallback. */
      readonly origin: 'sampled' | 'kept'
      readonly tokens: number
      /** Of a workflow whose model writes edits. */
      readonly edits?: EditCounts | undefined
      /** Of a workflow whose model writes gates; undefined where its response could not be used. */
      readonly gates?: Gates | undefined
      /** Of a workflow that recalls old memories. */
      readonly recall?: Recall | undefined
    }
  | {
      readonly type: 'warning'
      readonly step: number
      readonly code: string
      readonly message: string
      /** The conversation whose response had not the form that was asked for, and changed nothing: training knows it by this. */
      readonly malformed?: ConversationTag | undefined
    }

/** What a model decided after a chunk. */
export interface Gates {
  /** It wrote a new memory. */
  readonly update: boolean
  /** It had read enough, whether or not the workflow ends then. */
  readonly exit: boolean
}

/** Edits of one step that changed nothing. */
export interface EditCounts {
  /** What they write was in the memory already. */
  readonly repeated: number
  /** The memory had no room for them. */
  readonly refused: number
  /** They were not confirmed; only of a workflow that asks. */
  readonly unconfirmed?: number | undefined
}

/** What a step looked up among old memories. */
export interface Recall {
  /** Undefined: nothing was asked for. */
  readonly query?: string | undefined
  /** The old memory that stands beside the new one from here on; undefined: none. */
  readonly memory?: string | undefined
}

export interface ReadingContext<Places extends PromptPlaces = PromptPlaces> {
  /** One independent conversation. */
  chat(conversation: Conversation): Promise<ChatResult>
  /** Several that do not depend on each other; results in the order asked. */
  chatAll(conversations: readonly Conversation[]): Promise<ChatResult[]>
  countTokens(text: string): Promise<number>
  /** The model may count other tokens: the reader has no tokenizer of its. */
  readonly estimatesTokens: boolean
  /** The longest prefix of at most `maxTokens` tokens, never ending inside a character. */
  truncate(text: string, maxTokens: number): Promise<string>
  /** Text from outside, made unable to close a section or to look like template text. */
  neutralize(text: string): string
  /** Tokens that the window has left beside this prompt. */
  roomBeside(messages: readonly Message[]): Promise<number>
  /** Those of the workflow that the model's profile chooses. */
  readonly prompts: Prompts<Places>
  readonly budget: WindowBudget
  /** A final response that says nothing is neither asked for again nor an error: for training and measuring. */
  readonly acceptsSilence: boolean
  /** The model's profile says that it was trained for this workflow. */
  readonly isTrained: boolean
  /** As in the model's profile. */
  readonly copiesBeside?: readonly string[] | undefined
  readonly seed: number
  emit(event: WorkflowEvent): void
  readonly signal: AbortSignal
  /** Append-only log of old memories, for workflows that recall them; survives checkpoints. */
  readonly memoryLog: MemoryLog
}

export interface MemoryLogEntry {
  readonly step: number
  readonly text: string
}

export interface MemoryLog {
  /** Entries that were ever appended. */
  readonly length: number
  /** The oldest entry that is still held: beyond some millions of characters, the oldest are forgotten. */
  readonly first: number
  append(entry: MemoryLogEntry): Promise<void>
  /** @throws WorkflowError for one that is not held */
  get(index: number): Promise<MemoryLogEntry>
  /** Entries with a word of the query: those with most of its different words first, of equal ones the newest. */
  search(query: string): Promise<readonly number[]>
}

/** Conversations that render one template, as many as a reading takes at most. */
export interface ConversationEstimate {
  /** By its name in `prompts.conversations`. */
  readonly template: string
  readonly count: number
  /** Tokens of text and memories in the prompts of all of them. */
  readonly filled: number
  /** Tokens that each may write. */
  readonly maxTokens: number
}

/** What a checkpoint says of the reading that left a state. */
export interface StateOrigin {
  /** Undefined: general notes. */
  readonly question: string | undefined
  readonly steps: number
  /** Bytes of the text that were read. @default unknown */
  readonly bytes?: number | undefined
  /** Entries that `memoryLog` ever had. @default unknown */
  readonly memories?: number | undefined
  /** Nothing is left to read: the answer comes next. @default false */
  readonly isDone?: boolean | undefined
  /** The reading was done before the end of the text. @default false */
  readonly endedEarly?: boolean | undefined
}

export interface Workflow<State extends Json = Json, Places extends PromptPlaces = PromptPlaces> {
  readonly name: string
  /** The templates it renders, and its own sets of them. */
  readonly prompts: WorkflowPrompts<Places>
  /** Identity of its file, if it is not a workflow of this project: distinguishes two of one name. */
  readonly fingerprint?: string | undefined
  /** The workflow whose conversations it holds, and no others: a model that was trained for that one was trained for this. */
  readonly conversationsOf?: string | undefined
  /** Conversations that one chunk takes at most, for estimates. @default 1 */
  readonly callsPerChunk?: number | undefined
  /** Its `read` may end a reading before the end of the text. @default false */
  readonly mayEndEarly?: boolean | undefined
  /** How often it reads the text at most. With several passes it needs a document that can be opened again. @default 1 */
  readonly passes?: number | undefined
  /**
   * For estimates, all that a reading takes at most before the answer.
   * @default `callsPerChunk` for each chunk, with the whole memory read and written in each
   */
  estimate?(
    text: { readonly tokens: number; readonly chunks: number },
    budget: WindowBudget,
  ): readonly ConversationEstimate[]
  /** No question: general notes. @throws ConfigurationError where the workflow takes no notes without one */
  init(question: string | undefined): State
  /** Reads one chunk. `done` ends the stream early (exit gate). */
  read(
    state: State,
    chunk: Chunk,
    context: ReadingContext<Places>,
  ): Promise<{ readonly state: State; readonly done?: boolean }>
  answer(state: State, question: string, context: ReadingContext<Places>): Promise<Answer>
  /**
   * Whether a value from a checkpoint is a state that this workflow can have after so many chunks; every pass counts.
   * Checkpoints come from files: nothing may be read on from another value.
   */
  isState(value: Json, after: StateOrigin): value is State
  /** The memory a person reads at this state. */
  memory(state: State): string
  /** Of a workflow that passes over some of the text and reads the rest once: how much, in bytes. */
  unreadBytes?(state: State): number
  /** The state as if this memory had just been written: reading continues from existing notes. */
  withMemory?(state: State, memory: string): State
  /**
   * The state after a chunk that changes nothing. Whoever declares it promises that `read` depends on state and chunk
   * alone, not on `memoryLog`: chunks can then be read ahead.
   */
  unchanged?(state: State): State
  /**
   * For workflows with another rhythm than chunk by chunk (several passes over a document that can be opened again):
   * replaces the loop over `read`. Yields a state after every unit of work that can be a checkpoint. Chunks that
   * `isRead` does not accept are handed out as well, and are not counted and reported as read.
   */
  run?(
    state: State,
    openChunks: (fromOrdinal?: number, isRead?: (chunk: Chunk) => boolean) => AsyncIterable<Chunk>,
    context: ReadingContext<Places>,
  ): AsyncIterable<State>
}
