/** The request of `/v1/chat/completions`. What would change the answer and is not supported is refused, never ignored. */
import type { ConversationRequest, ConversationTurn, Sampling } from '@memagent/core'
import { z } from 'zod'
import { RequestError } from '../errors.ts'

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() })
const content = z.union([z.string(), z.array(textPart).min(1)], {
  error:
    'takes a text, or a list of parts { "type": "text", "text": ... }: images, audio and files are not read',
})

const message = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant'], {
    error: 'takes system, developer, user or assistant: tools are not supported',
  }),
  content,
  name: z.string().optional(),
  // As this server and others give them back.
  refusal: z.null().optional(),
  annotations: z.array(z.unknown()).optional(),
  reasoning_content: z.string().nullish(),
})

/** What only matters to the hosted service. */
const withoutEffect = {
  user: z.unknown().optional(),
  metadata: z.unknown().optional(),
  store: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
}

const zero = (what: string) => z.literal(0, { error: `takes 0 alone: ${what} is not supported` }).nullish()

const schema = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  seed: z.int().nullish(),
  n: z.literal(1, { error: 'takes 1 alone: one answer is written' }).nullish(),
  frequency_penalty: zero('a penalty'),
  presence_penalty: zero('a penalty'),
  logprobs: z.literal(false, { error: 'takes false alone' }).nullish(),
  tools: z.array(z.unknown()).max(0, { error: 'must be empty: tools are not supported' }).nullish(),
  tool_choice: z.literal('none', { error: 'takes "none" alone: tools are not supported' }).nullish(),
  response_format: z.strictObject({ type: z.literal('text', { error: 'takes "text" alone' }) }).nullish(),
  ...withoutEffect,
  /** Ours. */
  memagent: z.strictObject({ question: z.string().trim().min(1).optional() }).optional(),
})

export interface ChatRequest extends ConversationRequest {
  readonly model: string
  readonly sampling: Sampling
  readonly streams: boolean
  readonly includesUsage: boolean
}

/** @throws RequestError 400 naming the field */
export function parseChatRequest(body: unknown): ChatRequest {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw wrongField(parsed.error.issues[0]!)
  const { model, messages, stream, stream_options, max_tokens, max_completion_tokens, memagent } = parsed.data
  const { temperature, top_p, seed } = parsed.data
  return {
    model,
    turns: messages.map(turnOf),
    question: memagent?.question,
    maxTokens: max_completion_tokens ?? max_tokens ?? undefined,
    sampling: { temperature: temperature ?? undefined, topP: top_p ?? undefined, seed: seed ?? undefined },
    streams: stream ?? false,
    includesUsage: stream_options?.include_usage ?? false,
  }
}

const turnOf = ({ role, content }: z.infer<typeof message>): ConversationTurn => ({
  role: role === 'developer' ? 'system' : role,
  parts: typeof content === 'string' ? [content] : content.map(({ text }) => text),
})

function wrongField(issue: z.core.$ZodIssue): RequestError {
  const path = issue.path.join('.')
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const param = [path, unknown].filter((part) => part).join('.') || undefined
  const message =
    unknown === undefined
      ? `${param ?? 'The body'}: ${issue.message}`
      : `${param} is not supported by this server.`
  return new RequestError({ status: 400, code: 'server/bad-request', message, param })
}
