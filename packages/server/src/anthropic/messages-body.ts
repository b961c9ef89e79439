/** What `/v1/messages` gives back. */
import type { TokenUsage } from '@memagent/core'
import type { Completion } from '../gateway/completion.ts'

export interface MessageHead {
  readonly id: string
  readonly model: string
}

export const messageBody = ({ id, model }: MessageHead, content: readonly object[], more: object) => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: null,
  stop_sequence: null,
  usage: usageBody(undefined),
  ...more,
})

export const textBlock = (text: string) => ({ type: 'text', text, citations: null })

/** Not signed: nobody is to trust what comes back. */
export const thinkingBlock = (thinking: string) => ({ type: 'thinking', thinking, signature: '' })

const stopReasons = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' } as const

export const stopReasonOf = ({ finishReason }: Completion) => stopReasons[finishReason]

/**
 * Of all calls together. The protocol knows no usage that is unknown: it is 0 at the start, and where the model's server
 * reports none.
 */
export const usageBody = (usage: TokenUsage | undefined) => {
  const { promptTokens = 0, completionTokens = 0, cachedPromptTokens = 0 } = usage ?? {}
  return {
    input_tokens: promptTokens - cachedPromptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedPromptTokens,
    output_tokens: completionTokens,
  }
}
