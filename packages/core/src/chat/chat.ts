/**
 * The chat model: messages in; text, usage, finish reason and optional log-probabilities out.
 * Every backend implements this interface and passes `testing/chat-contract.ts`. Types only.
 */
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Message } from './message.ts'
import type { ModelProfile } from './profile.ts'
import type { Sampling } from './sampling.ts'

/** Sampling settings left out come from the model, then its profile, then the server. */
export interface ChatOptions extends Sampling {
  /** Most tokens to generate. */
  readonly maxTokens: number
  readonly stop?: readonly string[] | undefined
  /** Ask for log-probabilities of the generated tokens. @default false */
  readonly logprobs?: boolean | undefined
  /**
   * A text that the response will probably repeat, such as the previous memory. A backend may verify it in one pass
   * instead of generating token by token (speculative decoding); it must never change what is sampled. Others ignore it.
   */
  readonly draft?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called before every wait between two attempts at this call. */
  readonly onWait?: ((wait: WaitNotice) => void) | undefined
}

/** A call failed and will be retried after a wait. */
export interface WaitNotice {
  /** The call that is retried; `description` asks for the model's window. */
  readonly call: 'chat' | 'description' | 'token-count' | 'embeddings'
  /** For people: `rate limit (429)`. */
  readonly reason: string
  /** The error's code: `chat/rate-limited`. */
  readonly code: string
  readonly seconds: number
  /** Number of the attempt after the wait, from 2. */
  readonly attempt: number
}

export interface TokenUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** Prompt tokens from the server's prefix cache, which cost less. Undefined if it did not say. */
  readonly cachedPromptTokens?: number | undefined
}

export interface TokenLogprob {
  readonly token: string
  readonly id?: number | undefined
  readonly logprob: number
}

/** A conversation in tokens, as log-probabilities and gradients refer to it. */
export interface TokenSequence {
  /** The whole prompt, template included. */
  readonly promptTokens: readonly number[]
  /** Including the token that ended it. */
  readonly responseTokens: readonly number[]
  /**
   * [responseTokens.length] log-probability of each response token, under the very distribution it was sampled from. Training
   * learns from them; undefined if the backend does not provide them.
   */
  readonly logprobs?: Float32Array | undefined
}

/** Callers decide on `unified`; `raw` is the backend's own word, undefined when it gave none. */
export interface FinishReason {
  readonly unified: 'stop' | 'length' | 'refusal' | 'other'
  readonly raw: string | undefined
}

export interface ChatResult {
  /** The response without its reasoning (`<think>`), which is in `reasoning`. */
  readonly text: string
  readonly reasoning?: string | undefined
  /** Undefined when the server reported none. */
  readonly usage: TokenUsage | undefined
  readonly finishReason: FinishReason
  readonly logprobs?: readonly TokenLogprob[] | undefined
  /** The conversation in the model's own tokens, from backends that know them. */
  readonly tokens?: TokenSequence | undefined
  /** Answered from the cache: nothing was asked or paid this time. @default false */
  readonly isFromCache?: boolean | undefined
}

/** What a backend can say about its model before a run. */
export interface ModelDescription {
  readonly model: string
  /** The window for prompt and response, in tokens, as the server actually serves it. */
  readonly contextWindow?: number | undefined
}

export interface ChatModel {
  /** Shown to people and written to records: `openai:qwen2.5-7b`, `embedded:nano`, `gguf:file.gguf`. */
  readonly name: string
  /** Exact tokenizer, if the backend has one; otherwise the caller estimates. */
  readonly tokenizer?: Tokenizer | undefined
  /** Window, prompts and sampling that suit this model. @default the paper's */
  readonly profile?: ModelProfile | undefined
  /**
   * One independent conversation.
   * @throws ChatError and its subclasses; an abort throws the signal's reason.
   */
  generate(messages: readonly Message[], options: ChatOptions): Promise<ChatResult>
  /** Asks the server or reads the file; called once before a run. @throws ChatError when it cannot be reached */
  describe?(signal?: AbortSignal): Promise<ModelDescription>
  /** Tokens of the whole prompt as the model sees it (template included), if they can be counted without a call. */
  countPromptTokens?(messages: readonly Message[]): number
  /**
   * Distinguishes this model from every other: weights, server, and settings that its calls do not include. Only replies of a
   * model with an identity are cached. May be secret: for hashing only. @default unknown
   */
  identity?(signal?: AbortSignal): Promise<string | undefined>
  /**
   * The part of the identity that must not change while a run goes on with this model: its weights, since servers move and
   * settings are compared separately. May also be secret. @default the identity
   */
  weights?(signal?: AbortSignal): Promise<string | undefined>
  /** Releases what the model holds. Idempotent. */
  close?(): Promise<void>
}
