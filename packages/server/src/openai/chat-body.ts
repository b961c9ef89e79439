/** What `/v1/chat/completions` gives back: whole, or in pieces. */
import type { TokenUsage } from '@memagent/core'
import type { Completion } from '../gateway/completion.ts'

export interface Head {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
}

export const chatBody = (head: Head, completion: Completion) => ({
  id: head.id,
  object: 'chat.completion',
  created: head.created,
  model: head.model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: completion.content,
        ...(completion.reasoning && { reasoning_content: completion.reasoning }),
        refusal: null,
      },
      logprobs: null,
      finish_reason: finishReasonOf(completion),
    },
  ],
  usage: usageBody(completion.usage),
  memagent: completion.memagent,
})

type FinishReason = 'stop' | 'length' | 'content_filter'

export const finishReasonOf = ({ finishReason }: Completion): FinishReason =>
  finishReason === 'refusal' ? 'content_filter' : finishReason

/** Of all calls together. Undefined where the model's server reports none. */
export const usageBody = (usage: TokenUsage | undefined) =>
  usage && {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    ...(usage.cachedPromptTokens !== undefined && {
      prompt_tokens_details: { cached_tokens: usage.cachedPromptTokens },
    }),
  }

export interface Delta {
  readonly role?: 'assistant'
  readonly content?: string
  readonly reasoning_content?: string
}

export const chunkBody = (
  head: Head,
  delta: Delta,
  finishReason: FinishReason | null = null,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  id: head.id,
  object: 'chat.completion.chunk',
  created: head.created,
  model: head.model,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  ...more,
})
