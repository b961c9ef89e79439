/**
 * A workflow is a function over a chat function: it asks for independent conversations and knows nothing of HTTP, of
 * training or of storage. The same object runs in the CLI, in the benchmark and inside training.
 */
import type { ChatResult, FinishReason } from '../chat/chat.ts'
import type { Message } from '../chat/message.ts'
import type { LeastConfidence, ModelProfile, WindowBudget } from '../chat/profile.ts'
import type { Chunk } from '../chunking/chunker.ts'
import type { PromptPlaces, Prompts, WorkflowPrompts } from './prompts/prompts.ts'

/** JSON-serializable and small, so that every step is a checkpoint. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** What a conversation was for, so that training can group and reward it. */
export interface ConversationTag {
  /** Chunk ordinal; for the answer, the number of chunks read. */
  readonly step: number
  /** `update`, `answer`, or the workflow's own word (`gate`, `query`, `merge`, ...). */
  readonly kind: string
  /** Which of several memories or orders of a section, or the merge level of reports. @default 0 */
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
  /** Ask for log-probabilities; a backend may give none. @default false */
  readonly logprobs?: boolean | undefined
}

/**
 * How a reading ended. `not-found`: the whole text was read, and the model found no answer in it. `unsure`: there is an answer,
 * or a "not found", and a warning says why it may be wrong. `failed` is never an answer but a thrown error.
 */
export type Outcome = 'found' | 'not-found' | 'unsure' | 'failed'

export interface Answer {
  /** The answer itself; empty if the model gave none. */
  readonly text: string
  readonly outcome: Exclude<Outcome, 'failed'>
  /** The whole final response; undefined when no call was needed. */
  readonly response?: string | undefined
  readonly finishReason?: FinishReason | undefined
  /** The response neither answers nor says "not in the text": if silence is accepted, or its box is empty. @default false */
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
      /** Only if the model writes edits. */
      readonly edits?: EditCounts | undefined
      /** Only if the model writes gates; undefined if its response could not be used. */
      readonly gates?: Gates | undefined
      /** Only if the workflow recalls old memories. */
      readonly recall?: Recall | undefined
    }
  | {
      readonly type: 'warning'
      readonly step: number
      readonly code: string
      readonly message: string
      /** The conversation whose response was malformed and changed nothing; training recognizes it by this. */
      readonly malformed?: ConversationTag | undefined
    }

/** What a model decided after a chunk. */
export interface Gates {
  /** It wrote a new memory. */
  readonly update: boolean
  /** It had read enough, whether or not the workflow ends there. */
  readonly exit: boolean
}

/** Edits of one step that changed nothing. */
export interface EditCounts {
  /** Their text was already in the memory. */
  readonly repeated: number
  /** The memory had no room for them. */
  readonly refused: number
  /** They were not confirmed; only if the workflow asks. */
  readonly unconfirmed?: number | undefined
}

/** What a step looked up among old memories. */
export interface Recall {
  /** Undefined if it looked nothing up. */
  readonly query?: string | undefined
  /** The old memory shown beside the new one from here on, if any. */
  readonly memory?: string | undefined
}

export interface ReadingContext<Places extends PromptPlaces = PromptPlaces> {
  chat(conversation: Conversation): Promise<ChatResult>
  /** Several that do not depend on each other; results in the order asked. */
  chatAll(conversations: readonly Conversation[]): Promise<ChatResult[]>
  countTokens(text: string): Promise<number>
  /** Token counts are estimates: the reader has no tokenizer of this model. */
  readonly estimatesTokens: boolean
  /** The longest prefix of at most `maxTokens` tokens, never ending inside a character. */
  truncate(text: string, maxTokens: number): Promise<string>
  /** Text from outside, made unable to close a section or to look like template text. */
  neutralize(text: string): string
  /** Tokens that the window has left beside this prompt. */
  roomBeside(messages: readonly Message[]): Promise<number>
  /** The workflow's prompts that the model's profile chooses. */
  readonly prompts: Prompts<Places>
  readonly budget: WindowBudget
  /** Most tokens of an answer that is asked for again. @default all that the window has beside the prompt */
  readonly mostAnswerTokens?: number | undefined
  /** A final response that says nothing is neither asked for again nor an error; for training and measuring. */
  readonly acceptsSilence: boolean
  /** The model's profile says that it was trained for this workflow. */
  readonly isTrained: boolean
  /** As in the model's profile. */
  readonly copiesBeside?: readonly string[] | undefined
  /** As in the model's profile. */
  readonly leastConfidence?: LeastConfidence | undefined
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
  /** Entries ever appended. */
  readonly length: number
  /** The oldest entry still held: beyond some millions of characters, the oldest are forgotten. */
  readonly first: number
  append(entry: MemoryLogEntry): Promise<void>
  /** @throws WorkflowError for an entry that is not held */
  get(index: number): Promise<MemoryLogEntry>
  /** Entries with a word of the query, those with most of its distinct words first, the newest first among equals. */
  search(query: string): Promise<readonly number[]>
}

/** Conversations that render one template, as many as a reading takes at most. */
export interface ConversationEstimate {
  /** A name in `prompts.conversations`. */
  readonly template: string
  readonly count: number
  /** Tokens of text and memories in the prompts of all of them. */
  readonly filled: number
  /** Tokens that each may write. */
  readonly maxTokens: number
}

/** What a checkpoint says of the reading that left a state. */
export interface StateOrigin {
  /** Undefined for general notes. */
  readonly question: string | undefined
  readonly steps: number
  /** Bytes of the text read so far. @default unknown */
  readonly bytes?: number | undefined
  /** Entries ever appended to `memoryLog`. @default unknown */
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
  /** Distinguishes workflows of one name: the hash of a user's module, or the embeddings of `createSkim`. */
  readonly fingerprint?: string | undefined
  /** The workflow whose conversations it holds, and no others: a model trained for that one is trained for this. */
  readonly conversationsOf?: string | undefined
  /** The most conversations for one chunk, for estimates. @default 1 */
  readonly callsPerChunk?: number | undefined
  /** Its `read` may end a reading before the end of the text. @default false */
  readonly mayEndEarly?: boolean | undefined
  /** It reads otherwise where a profile has `leastConfidence`. @default false */
  readonly usesLeastConfidence?: boolean | undefined
  /** The most passes over the text. With several, the document must be one that can be opened again. @default 1 */
  readonly passes?: number | undefined
  /**
   * The most that a reading takes before the answer, for estimates.
   * @default `callsPerChunk` for each chunk, with the whole memory read and written in each
   */
  estimate?(
    text: { readonly tokens: number; readonly chunks: number },
    budget: WindowBudget,
    profile?: Pick<ModelProfile, 'leastConfidence'>,
  ): readonly ConversationEstimate[]
  /** Without a question it takes general notes. @throws ConfigurationError if the workflow needs a question */
  init(question: string | undefined): State
  /** Reads one chunk. `done` ends the stream early (exit gate). */
  read(
    state: State,
    chunk: Chunk,
    context: ReadingContext<Places>,
  ): Promise<{ readonly state: State; readonly done?: boolean }>
  answer(state: State, question: string, context: ReadingContext<Places>): Promise<Answer>
  /**
   * Whether a value from a checkpoint is a state that this workflow can have after so many chunks, over all passes. Checkpoints
   * come from files, so a reading must not go on from any other value.
   */
  isState(value: Json, after: StateOrigin): value is State
  /** The memory at this state, for people. */
  memory(state: State): string
  /** Bytes passed over, of a workflow that reads the rest of the text once. */
  unreadBytes?(state: State): number
  /** The state as if this memory had just been written: reading continues from existing notes. */
  withMemory?(state: State, memory: string): State
  /**
   * The state after a chunk that changes nothing. By declaring it, a workflow promises that `read` depends on state and chunk
   * alone, not on `memoryLog`, so chunks can be read ahead.
   */
  unchanged?(state: State): State
  /**
   * Replaces the loop over `read`, for workflows that do not go chunk by chunk, such as several passes over a document that can
   * be opened again. Yields a state after every unit of work that can be a checkpoint. Chunks that `isRead` rejects are handed
   * out, but not counted or reported as read.
   */
  run?(
    state: State,
    openChunks: (fromOrdinal?: number, isRead?: (chunk: Chunk) => boolean) => AsyncIterable<Chunk>,
    context: ReadingContext<Places>,
  ): AsyncIterable<State>
}
