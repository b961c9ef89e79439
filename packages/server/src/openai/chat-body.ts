/** Replies of `/v1/chat/completions`: whole, or in pieces. */
import type { TokenUsage } from '@memagent/core'
import { z } from 'zod'
import { type Completion, memagentReply } from '../gateway/completion.ts'

export interface Head {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
}

const finishReason = z.enum(['stop', 'length', 'content_filter'])
type FinishReason = z.infer<typeof finishReason>

const usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }).optional(),
})

export const chatReply = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int().describe('Seconds since 1970'),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string(),
          reasoning_content: z.string().optional().describe('The last memory'),
          refusal: z.null(),
        }),
        logprobs: z.null(),
        finish_reason: finishReason,
      }),
    ),
    usage: usage.optional(),
    memagent: memagentReply,
  })
  .meta({ id: 'ChatCompletion' })

export const replyBody = (head: Head, completion: Completion): z.infer<typeof chatReply> => ({
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

export const finishReasonOf = ({ finishReason }: Completion): FinishReason =>
  finishReason === 'refusal' ? 'content_filter' : finishReason

/** The sum of all calls; undefined if the model's server reports none. */
export const usageBody = (tokens: TokenUsage | undefined): z.infer<typeof usage> | undefined =>
  tokens && {
    prompt_tokens: tokens.promptTokens,
    completion_tokens: tokens.completionTokens,
    total_tokens: tokens.promptTokens + tokens.completionTokens,
    ...(tokens.cachedPromptTokens !== undefined && {
      prompt_tokens_details: { cached_tokens: tokens.cachedPromptTokens },
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
