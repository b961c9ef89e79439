/**
 * A frozen policy as a chat model, so that training reads with the very workflow objects that inference uses. It keeps the
 * tokens and log-probabilities of every conversation for the trainer.
 */
import {
  type ChatModel,
  type ChatResult,
  ChatTemplate,
  ConfigurationError,
  type ConversationTokens,
  createConversationTokens,
  createHuggingFaceTokenizer,
  type HuggingFaceTokenizer,
  type Message,
  type ModelProfile,
} from '@memagent/core'
import type { SampledResponse, SampleRequest } from '../policy/policy.ts'
import { rememberTokens } from './remembering-tokenizer.ts'

/** What turns conversations into tokens and back. */
export interface ReaderTokens {
  readonly tokenizer: HuggingFaceTokenizer
  readonly conversation: ConversationTokens
  readonly endToken: number
}

/**
 * From the files of a model folder.
 * @throws ConfigurationError when the tokenizer lacks its end token; TokenizerError, TemplateError
 */
export function createReaderTokens(
  tokenizerJson: Readonly<Record<string, unknown>>,
  tokenizerConfig: Readonly<Record<string, unknown>>,
  name: string,
): ReaderTokens {
  const tokenizer = rememberTokens(
    createHuggingFaceTokenizer(tokenizerJson, tokenizerConfig, { name: `${name} tokenizer` }),
  )
  const { eos_token: end } = tokenizerConfig
  const endText = typeof end === 'string' ? end : String((end as { content?: unknown } | null)?.content)
  const endToken = tokenizer.idOf(endText)
  if (endToken === undefined) {
    throw new ConfigurationError({
      code: 'train/no-end-token',
      message: `The tokenizer of ${name} lacks its eos_token ${endText}.`,
    })
  }
  return {
    tokenizer,
    endToken,
    conversation: createConversationTokens(tokenizer, new ChatTemplate({ tokenizerConfig })),
  }
}

/** One conversation as the policy saw it. */
export interface Exchange {
  readonly promptTokens: readonly number[]
  readonly response: SampledResponse
  readonly maxTokens: number
}

export interface PolicyChatModel extends ChatModel {
  readonly tokenizer: HuggingFaceTokenizer
  /** The tokens behind a result of this model. */
  exchangeOf(result: ChatResult): Exchange
}

export interface PolicyChatModelOptions {
  readonly name: string
  readonly sample: (request: SampleRequest, signal?: AbortSignal) => Promise<SampledResponse>
  readonly tokens: ReaderTokens
  readonly profile: ModelProfile
}

export function createPolicyChatModel(options: PolicyChatModelOptions): PolicyChatModel {
  const { name, sample, profile } = options
  const { tokenizer, conversation, endToken } = options.tokens
  const exchanges = new WeakMap<ChatResult, Exchange>()
  return {
    name,
    tokenizer,
    profile,
    countPromptTokens: (messages: readonly Message[]) => conversation.prompt(messages).tokens.length,
    async generate(messages, chat) {
      const prompt = conversation.prompt(messages)
      const response = await sample(
        {
          promptTokens: prompt.tokens,
          draftTokens:
            chat.draft === undefined ? undefined : conversation.response(messages, prompt.text, chat.draft),
          maxTokens: chat.maxTokens,
          temperature: chat.temperature ?? 1,
          topP: chat.topP ?? 1,
          seed: chat.seed ?? 0,
          stopTokens: [endToken],
        },
        chat.signal,
      )
      const { tokens, stopReason } = response
      const text = tokenizer.decode(tokens.at(-1) === endToken ? tokens.slice(0, -1) : [...tokens])
      const result: ChatResult = {
        text,
        usage: { promptTokens: prompt.tokens.length, completionTokens: tokens.length },
        finishReason: { unified: stopReason, raw: stopReason },
        promptTokenIds: prompt.tokens,
        responseTokenIds: tokens,
      }
      exchanges.set(result, { promptTokens: prompt.tokens, response, maxTokens: chat.maxTokens })
      return result
    },
    exchangeOf(result) {
      const exchange = exchanges.get(result)
      if (exchange) return exchange
      throw new ConfigurationError({
        code: 'train/unknown-result',
        message: `A conversation was not held by ${name}, so that its tokens are not known.`,
        hint: 'A workflow must pass on the results it got from its context.',
      })
    },
  }
}
