/** The request of `/v1/responses`. Unsupported parameters that would change the answer are refused, never ignored. */
import { z } from 'zod'
import { attachedFile, fileFields, hasOneFile, oneFile } from '../gateway/attached-files.ts'
import {
  memagentField,
  noTools,
  nothingOf,
  nullAsMissing,
  only,
  temperature,
  textOr,
  tokens,
  topP,
  withoutEffect,
} from '../gateway/parse-body.ts'
import type { ProtocolRequest, RequestTurn } from '../gateway/protocol.ts'

const textPart = z.strictObject({
  type: z.enum(['input_text', 'output_text']),
  text: z.string(),
  // As in responses that clients send back.
  annotations: z.array(z.unknown()).optional(),
  logprobs: z.array(z.unknown()).optional(),
})
const inputFile = z
  .strictObject({ type: z.literal('input_file'), ...fileFields, detail: withoutEffect })
  .refine(hasOneFile, { error: oneFile })
const part = nullAsMissing(
  z.discriminatedUnion('type', [textPart, inputFile], {
    error: 'takes input_text, output_text or input_file: images and audio are not read',
  }),
)

const message = z.strictObject({
  type: z.literal('message'),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: textOr(
    z.array(part, { error: 'takes a text, or a list of parts { "type": "input_text", "text": ... }' }).min(1),
    (text) => [{ type: 'input_text', text }],
  ),
  id: withoutEffect,
  status: withoutEffect,
  phase: withoutEffect,
})

/** Sent back from earlier responses; not part of the conversation. */
const reasoning = z.looseObject({ type: z.literal('reasoning') })

const item = nullAsMissing(
  z.preprocess(
    (value) =>
      typeof value === 'object' && value !== null && !('type' in value)
        ? { ...value, type: 'message' }
        : value,
    z.discriminatedUnion('type', [message, reasoning], {
      error: 'takes message or reasoning: tools and references are not supported',
    }),
  ),
)

const keptNowhere = 'responses are not kept; send the conversation with every request'

export const responsesBody = z.strictObject({
  model: z.string(),
  input: textOr(z.array(item, { error: 'takes a text, or a list of messages' }).min(1), (content) => [
    { role: 'user', content },
  ]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  max_output_tokens: tokens.nullish(),
  temperature,
  top_p: topP,
  store: only(false, keptNowhere),
  previous_response_id: z.null({ error: `is not supported: ${keptNowhere}` }).optional(),
  conversation: z.null({ error: `is not supported: ${keptNowhere}` }).optional(),
  background: only(false, 'responses are not kept'),
  include: z.array(z.unknown()).max(0, { error: 'must be empty: there is nothing to include' }).nullish(),
  // Summaries are always sent: they are the memory.
  reasoning: z
    .strictObject({ effort: z.null().optional(), summary: withoutEffect, generate_summary: withoutEffect })
    .nullish(),
  text: z
    .strictObject({
      format: z.strictObject({ type: only('text', 'formats are not supported') }).nullish(),
      verbosity: only('medium', 'verbosity is not supported'),
    })
    .nullish(),
  tools: noTools,
  tool_choice: nothingOf('there are no tools', 'none', 'auto'),
  top_logprobs: only(0, 'log-probabilities are not given'),
  metadata: z.record(z.string(), z.string()).nullish(),
  // Without tools there are no calls; texts of any length are read, so nothing is truncated.
  parallel_tool_calls: withoutEffect,
  truncation: z.enum(['disabled', 'auto']).nullish(),
  // Only relevant to the hosted service.
  user: withoutEffect,
  service_tier: withoutEffect,
  safety_identifier: withoutEffect,
  prompt_cache_key: withoutEffect,
  prompt_cache_retention: withoutEffect,
  memagent: memagentField,
})

export interface ResponsesRequest extends ProtocolRequest {
  /** Fields of the request that the response repeats. */
  readonly repeated: {
    readonly instructions: string | null
    readonly max_output_tokens: number | null
    readonly temperature: number | null
    readonly top_p: number | null
    readonly metadata: Readonly<Record<string, string>>
  }
}

export function responsesRequest(body: z.infer<typeof responsesBody>): ResponsesRequest {
  const { model, input, instructions, stream, max_output_tokens, memagent, ...rest } = body
  const { temperature, top_p, metadata, store } = rest
  const turns = input.flatMap((item) => (item.type === 'message' ? [turnOf(item)] : []))
  return {
    model,
    turns: instructions ? [{ role: 'system', isBeside: true, parts: [instructions] }, ...turns] : turns,
    turnsField: 'input',
    question: memagent?.question,
    maxTokens: max_output_tokens ?? undefined,
    sampling: { temperature: temperature ?? undefined, topP: top_p ?? undefined },
    streams: stream ?? false,
    isPrivate: store === false,
    repeated: {
      instructions: instructions ?? null,
      max_output_tokens: max_output_tokens ?? null,
      temperature: temperature ?? null,
      top_p: top_p ?? null,
      metadata: metadata ?? {},
    },
  }
}

const turnOf = ({ role, content }: z.infer<typeof message>): RequestTurn => ({
  role: role === 'developer' ? 'system' : role,
  parts: content.map((part) => (part.type === 'input_file' ? attachedFile(part) : part.text)),
})
