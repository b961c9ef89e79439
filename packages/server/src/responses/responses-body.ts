/** Replies of `/v1/responses`. */
import type { TokenUsage } from '@memagent/core'
import { z } from 'zod'
import { type Completion, memagentReply } from '../gateway/completion.ts'
import type { ResponsesRequest } from './responses-request.ts'

/** The state of a response. */
export interface Progress {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  readonly output?: readonly object[]
  readonly completion?: Completion
  readonly error?: { readonly code: string; readonly message: string }
}

export interface ResponseHead extends Pick<ResponsesRequest, 'model' | 'repeated'> {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
}

/** Leaves out fields that OpenAI's own server has as well. */
export const responseReply = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int().describe('Seconds since 1970'),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.string() }).nullable(),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.enum(['reasoning', 'message']) })),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).nullable(),
    memagent: memagentReply.optional(),
  })
  .meta({ id: 'Response' })

export const responseBody = (
  { id, created, model, repeated }: ResponseHead,
  { status, output = [], completion, error }: Progress,
) => ({
  id,
  object: 'response',
  created_at: created,
  status,
  background: false,
  error: error ?? null,
  incomplete_details: completion && status === 'incomplete' ? { reason: reasonOf(completion) } : null,
  model,
  output,
  parallel_tool_calls: false,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  text: { format: { type: 'text' } },
  tool_choice: 'none',
  tools: [],
  truncation: 'disabled',
  ...repeated,
  usage: (completion?.usage && usageBody(completion.usage)) ?? null,
  ...(completion && { memagent: completion.memagent }),
})

/** Of a whole reply, and at the end of a stream. */
export const statusOf = ({ finishReason }: Completion) =>
  finishReason === 'stop' ? 'completed' : 'incomplete'

const reasonOf = ({ finishReason }: Completion) =>
  finishReason === 'length' ? 'max_output_tokens' : 'content_filter'

export const summaryPart = (text: string) => ({ type: 'summary_text', text })

export const reasoningItem = (id: string, summary: readonly string[]) => ({
  id,
  type: 'reasoning',
  summary: summary.map(summaryPart),
})

export const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

export const messageItem = (
  id: string,
  content: readonly ReturnType<typeof textPart>[],
  status: 'in_progress' | 'completed' | 'incomplete',
) => ({ id, type: 'message', role: 'assistant', status, content })

/** The sum of all calls. The model's server does not say which tokens were reasoning. */
const usageBody = ({ promptTokens, completionTokens, cachedPromptTokens = 0 }: TokenUsage) => ({
  input_tokens: promptTokens,
  input_tokens_details: { cached_tokens: cachedPromptTokens },
  output_tokens: completionTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: promptTokens + completionTokens,
})
