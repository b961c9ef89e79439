/**
 * The chat model: messages in; text, usage, finish reason and optional log-probabilities out.
 * Every backend implements this interface and passes `testing/chat-contract.ts`. Types only.
 */
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Message } from './message.ts'
import type { ModelProfile } from './profile.ts'
import type { Sampling } from './sampling.ts'

/** What it leaves out of the sampling, the model says, else its profile, else the server. */
export interface ChatOptions extends Sampling {
  /** Upper bound of generated tokens. */
  readonly maxTokens: number
  readonly stop?: readonly string[] | undefined
  /** Ask for log-probabilities of the generated tokens. @default false */
  readonly logprobs?: boolean | undefined
  /**
   * A text that the response will probably repeat, such as the previous memory. A backend may check it in one pass
   * instead of token by token (speculative decoding); it must never change what is sampled. Others ignore it.
   */
  readonly draft?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called before every wait between two attempts at this call. */
  readonly onWait?: ((wait: WaitNotice) => void) | undefined
}

/** A call failed and is tried again after a wait. */
export interface WaitNotice {
  /** What is tried again; `description` asks for the model's window. */
  readonly call: 'chat' | 'description' | 'token-count' | 'embeddings'
  /** For people: `rate limit (429)`. */
  readonly reason: string
  /** The failure's code: `chat/rate-limited`. */
  readonly code: string
  readonly seconds: number
  /** The attempt that follows the wait, from 2. */
  readonly attempt: number
}

export interface TokenUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

export interface TokenLogprob {
  readonly token: string
  readonly id?: number | undefined
  readonly logprob: number
}

/** `unified` is what callers decide on; `raw` is the backend's own word, undefined when it gave none. */
export interface FinishReason {
  readonly unified: 'stop' | 'length' | 'refusal' | 'other'
  readonly raw: string | undefined
}

export interface ChatResult {
  /** The response without reasoning parts (`<think>`), which are in `reasoning`. */
  readonly text: string
  readonly reasoning?: string | undefined
  /** Undefined when the server reported none. */
  readonly usage: TokenUsage | undefined
  readonly finishReason: FinishReason
  readonly logprobs?: readonly TokenLogprob[] | undefined
  /** Exact token ids, from backends that know them (training needs them). */
  readonly promptTokenIds?: readonly number[] | undefined
  readonly responseTokenIds?: readonly number[] | undefined
}

/** What a backend can say about its model before a run; unknown fields are undefined. */
export interface ModelDescription {
  readonly model: string
  /** Prompt plus response, in tokens, as the server will really serve it. */
  readonly contextWindow?: number | undefined
}

export interface ChatModel {
  /** Shown to people and written to records: `openai:qwen2.5-7b`, `embedded:nano`, `gguf:file.gguf`. */
  readonly name: string
  /** Exact tokenizer when the backend has one; otherwise the caller estimates. */
  readonly tokenizer?: Tokenizer | undefined
  /** Window, prompts and sampling that suit this model; the paper's where undefined. */
  readonly profile?: ModelProfile | undefined
  /**
   * One independent conversation.
   * @throws ChatError and its subclasses; an abort throws the signal's reason.
   */
  generate(messages: readonly Message[], options: ChatOptions): Promise<ChatResult>
  /** Asks the server or file; called once before a run. @throws ChatError when it cannot be reached */
  describe?(signal?: AbortSignal): Promise<ModelDescription>
  /** Tokens of the whole prompt as the model sees it (template included), when the backend can tell without a call. */
  countPromptTokens?(messages: readonly Message[]): number
  /** Releases what the model holds. Idempotent. */
  close?(): Promise<void>
}
