/** Replies of `/v1/messages`. */
import type { TokenUsage } from '@memagent/core'
import { z } from 'zod'
import { type Completion, memagentReply } from '../gateway/completion.ts'

export interface MessageHead {
  readonly id: string
  readonly model: string
}

const count = z.int()

export const messageReply = z
  .object({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.enum(['thinking', 'text']) })),
    stop_reason: z.enum(['end_turn', 'max_tokens', 'refusal']).nullable(),
    stop_sequence: z.null(),
    usage: z.object({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
    }),
    memagent: memagentReply,
  })
  .meta({ id: 'Message' })

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

/** Not signed: nobody should trust what comes back. */
export const thinkingBlock = (thinking: string) => ({ type: 'thinking', thinking, signature: '' })

const stopReasons = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' } as const

export const stopReasonOf = ({ finishReason }: Completion) => stopReasons[finishReason]

/**
 * The sum of all calls. The protocol cannot express unknown usage: it is 0 at the start, and if the model's server reports
 * none.
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
