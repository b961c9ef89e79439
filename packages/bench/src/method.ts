/** A method answers a question about a document: the reader and what people would use instead. Types only. */
import type {
  Answer,
  ChatModel,
  ChatResult,
  CheckpointStore,
  Conversation,
  ModelProfile,
  Sampling,
  TextDocument,
  Tokenizer,
  WorkflowEvent,
} from '@memagent/core'

export interface MethodRequest {
  readonly question: string
  /** What a search looks for: the question without what is said about the form of its answer. @default the question */
  readonly query?: string | undefined
  /** A stream that can be opened again. */
  readonly document: TextDocument
  /** Notes that a reader has before it begins; methods without notes put them before the document. @default none */
  readonly memory?: string | undefined
  readonly model: ChatModel
  /** The window that every call has to fit in, and the prompts. */
  readonly profile: ModelProfile
  /** The model's own, else an estimate. */
  readonly tokenizer: Tokenizer
  /** @default the profile's, with seed 0 */
  readonly sampling?: Sampling | undefined
  readonly signal?: AbortSignal | undefined
  /** For methods that can go on where they failed; others ask anew. */
  readonly checkpoints?: CheckpointStore | undefined
  /** Called with the share of the document that is dealt with, 0 to 1, by methods that know it. */
  readonly onShare?: ((share: number) => void) | undefined
  /** Called with every finished conversation. */
  readonly onConversation?: ((conversation: Conversation, result: ChatResult) => void) | undefined
  /** Called with everything that is warned of, also where the method fails in the end. */
  readonly onWarning?: ((warning: Warning) => void) | undefined
}

export type Warning = Extract<WorkflowEvent, { type: 'warning' }>

/**
 * Totals of one answer, each call once, also where it went on from a checkpoint; of a failure, those of this attempt. Tokens
 * that a server did not report are not counted.
 */
export interface MethodUsage {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Tokens sent to an embeddings endpoint. @default 0 */
  readonly embeddedTokens?: number
  /** Milliseconds inside the chat model's and the embeddings endpoint's calls, since the last checkpoint that it went on from. */
  readonly modelMs: number
}

/** What the notes said after a step, where they changed: enough to tell when a fact came and went. */
export interface TraceEntry {
  readonly step: number
  /** The text read in this step, as UTF-8 bytes of the document; undefined when the step read none. */
  readonly startByte?: number | undefined
  readonly endByte?: number | undefined
  readonly memory: string
  /** Tokens of the memory. */
  readonly tokens: number
  /** Whether the model wrote it, or the previous memory was kept as a fallback. */
  readonly origin: 'sampled' | 'kept'
}

export interface MethodResult {
  readonly answer: Answer
  readonly usage: MethodUsage
  /** Steps whose notes differ from those before; empty for methods without notes. */
  readonly trace: readonly TraceEntry[]
  /** Steps in all. */
  readonly steps: number
  /** Of the whole reading, where it went on from a checkpoint; undefined: all of it was done now. */
  readonly seconds?: number | undefined
  /** Document bytes that were in some prompt, as ranges in order; undefined: all of it. */
  readonly seen?: readonly { readonly startByte: number; readonly endByte: number }[] | undefined
}

/** Calls and tokens that a document of this length will take. */
export interface CostEstimate {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly embeddedTokens?: number
}

export interface Method {
  /** Written to records: `overwrite`, `truncate`, `bm25`, ... with the options that tell two of them apart. */
  readonly name: string
  /** One line for reports. */
  readonly description: string
  /**
   * Of a workflow of the reader: what records call it, with its file and prompts where these are not the usual ones.
   * @throws ConfigurationError where the profile's prompts are not for it
   */
  workflow?(profile: ModelProfile): string
  /**
   * @throws ChatError and its subclasses from the model, ConfigurationError when the window is too small for the method;
   * an abort throws the signal's reason
   */
  answer(request: MethodRequest): Promise<MethodResult>
  /** Upper estimate for a document of `lengthTokens` tokens. */
  estimate(lengthTokens: number, profile: ModelProfile): CostEstimate
}
