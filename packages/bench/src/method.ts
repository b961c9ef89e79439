/** A method answers a question about a document: the reader and its alternatives. Types only. */
import type {
  Answer,
  CallUsage,
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
  /** The search query: the question without instructions about the form of the answer. @default the question */
  readonly query?: string | undefined
  /** Must be reopenable. */
  readonly document: TextDocument
  /** Notes from before the reading; methods without notes prepend them to the document. @default none */
  readonly memory?: string | undefined
  readonly model: ChatModel
  /** The prompts, and the window that every call must fit. */
  readonly profile: ModelProfile
  /** The model's own, otherwise an estimate. */
  readonly tokenizer: Tokenizer
  /** @default the profile's, with seed 0 */
  readonly sampling?: Sampling | undefined
  /** How many chunks to ask about at once, for workflows that can. @default 1 */
  readonly ahead?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** For methods that can resume after a failure; others start over. */
  readonly checkpoints?: CheckpointStore | undefined
  /** Called with the share of the document that is done, 0 to 1, by methods that know it. */
  readonly onShare?: ((share: number) => void) | undefined
  /** Called with every finished conversation. */
  readonly onConversation?: ((conversation: Conversation, result: ChatResult) => void) | undefined
  /** Called with every warning, even if the method later fails. */
  readonly onWarning?: ((warning: Warning) => void) | undefined
}

export type Warning = Extract<WorkflowEvent, { type: 'warning' }>

/**
 * Totals for one answer. Every call counts once, including calls before a resume; after a failure, only this attempt's.
 * Tokens are NaN if the server did not report those of some call.
 */
export interface MethodUsage {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Tokens sent to an embeddings endpoint. @default 0 */
  readonly embeddedTokens?: number
  /** The part spent on calls made ahead whose results were not used. @default nothing */
  readonly wasted?: CallUsage | undefined
  /** Milliseconds inside calls of the chat model and the embeddings endpoint, since the checkpoint it resumed from. */
  readonly modelMs: number
}

/** The notes after a step that changed them: enough to tell when a fact came and went. */
export interface TraceEntry {
  /** From 0, in the order of reading. */
  readonly step: number
  /** Place of the chunk in the text, from 0; undefined if the step read none, for other methods, and in old lines. */
  readonly chunk?: number | undefined
  /** Byte range (UTF-8) that this step read; undefined if it read none. */
  readonly startByte?: number | undefined
  readonly endByte?: number | undefined
  readonly memory: string
  /** Tokens of the memory. */
  readonly tokens: number
  /** Whether the model wrote the memory, or the previous one was kept as a fallback. */
  readonly origin: 'sampled' | 'kept'
}

export interface MethodResult {
  readonly answer: Answer
  readonly usage: MethodUsage
  /** Steps that changed the notes; empty for methods without notes. */
  readonly trace: readonly TraceEntry[]
  /** Number of steps, including those that changed nothing. */
  readonly steps: number
  /** For the whole reading, if it resumed from a checkpoint; undefined if it ran without a resume. */
  readonly seconds?: number | undefined
  /** Byte ranges of the document that were in some prompt, in order; undefined: all of it. */
  readonly seen?: readonly { readonly startByte: number; readonly endByte: number }[] | undefined
}

/** Calls and tokens needed for a document of this length. */
export interface CostEstimate {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly embeddedTokens?: number
}

export interface Method {
  /** As written to records: `overwrite`, `truncate`, `bm25`, ... with the options that tell two of them apart. */
  readonly name: string
  /** One line for reports. */
  readonly description: string
  /** Name of the workflow whose conversations the method holds. @default instructions of its own, for models that follow any */
  readonly conversationsOf?: string | undefined
  /**
   * For a workflow of the reader: its name in records, with its file and prompts unless they are the usual ones, and the
   * least confidence of the profile if it uses that.
   * @throws ConfigurationError if the profile's prompts are not for it
   */
  workflow?(profile: ModelProfile): string
  /**
   * Checks up front that there is room for every conversation. @default left to `answer`
   * @throws ConfigurationError if the budget exceeds the window, whatever the question
   */
  checkBudget?(request: Pick<MethodRequest, 'model' | 'profile' | 'tokenizer'>): Promise<void>
  /**
   * @throws ChatError and its subclasses from the model, ConfigurationError when the window is too small for the method;
   * an abort throws the signal's reason
   */
  answer(request: MethodRequest): Promise<MethodResult>
  /** Upper estimate for a document of `lengthTokens` tokens. @param ahead as in the request */
  estimate(lengthTokens: number, profile: ModelProfile, ahead?: number): CostEstimate
}
