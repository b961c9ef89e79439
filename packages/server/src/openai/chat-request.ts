/** The request of `/v1/chat/completions`. Unsupported parameters that would change the answer are refused, never ignored. */
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

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() })
const file = z.strictObject(fileFields).refine(hasOneFile, { error: oneFile })
const filePart = z.strictObject({ type: z.literal('file'), file })
const part = nullAsMissing(
  z.discriminatedUnion('type', [textPart, filePart], {
    error: 'takes text or file: images and audio are not read',
  }),
)
const content = textOr(
  z.array(part, { error: 'takes a text, or a list of parts { "type": "text", "text": ... }' }).min(1),
  (text) => [{ type: 'text', text }],
)

const message = nullAsMissing(
  z.strictObject({
    role: z.enum(['system', 'developer', 'user', 'assistant'], {
      error: 'takes system, developer, user or assistant: tools are not supported',
    }),
    content,
    name: z
      .string()
      .regex(/^[^\s<|\\/>]{1,64}$/, { error: 'takes 1 to 64 characters, without spaces and < | \\ / >' })
      .nullish(),
    // Fields that this server, others and their clients send back.
    refusal: z.null().optional(),
    annotations: z.array(z.unknown()).nullish(),
    audio: nothingOf('audio is not read'),
    tool_calls: nothingOf('there are no tools', []),
    function_call: nothingOf('there are no tools'),
    reasoning_content: z.string().nullish(),
  }),
)

export const chatBody = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  max_tokens: tokens.nullish(),
  max_completion_tokens: tokens.nullish(),
  temperature,
  top_p: topP,
  seed: z.int().nullish(),
  store: z.boolean().nullish(),
  n: only(1, 'one answer is written'),
  frequency_penalty: only(0, 'penalties are not supported'),
  presence_penalty: only(0, 'penalties are not supported'),
  logprobs: only(false, 'log-probabilities are not given'),
  tools: noTools,
  tool_choice: nothingOf('there are no tools', 'none', 'auto'),
  functions: nothingOf('there are no tools', []),
  function_call: nothingOf('there are no tools', 'none'),
  parallel_tool_calls: withoutEffect,
  stop: nothingOf('answers end by themselves', []),
  logit_bias: nothingOf('tokens are not weighted', {}),
  top_logprobs: nothingOf('log-probabilities are not given', 0),
  reasoning_effort: nothingOf('how much is thought is up to the model'),
  verbosity: nothingOf('how long answers are is up to the model', 'medium'),
  modalities: nothingOf('answers are text', ['text']),
  audio: nothingOf('answers are text'),
  prediction: nothingOf('answers are not predicted'),
  web_search_options: nothingOf('only what is sent is read'),
  response_format: z.strictObject({ type: only('text', 'formats are not supported') }).nullish(),
  // Only relevant to the hosted service.
  user: withoutEffect,
  metadata: withoutEffect,
  service_tier: withoutEffect,
  safety_identifier: withoutEffect,
  prompt_cache_key: withoutEffect,
  prompt_cache_retention: withoutEffect,
  memagent: memagentField,
})

export interface ChatRequest extends ProtocolRequest {
  readonly includesUsage: boolean
}

export function chatRequest(parsed: z.infer<typeof chatBody>): ChatRequest {
  const { model, messages, stream, stream_options, max_tokens, max_completion_tokens, memagent } = parsed
  const { temperature, top_p, seed } = parsed
  return {
    model,
    turns: messages.map(turnOf),
    turnsField: 'messages',
    question: memagent?.question,
    maxTokens: max_completion_tokens ?? max_tokens ?? undefined,
    sampling: { temperature: temperature ?? undefined, topP: top_p ?? undefined, seed: seed ?? undefined },
    streams: stream ?? false,
    isPrivate: parsed.store === false,
    includesUsage: stream_options?.include_usage ?? false,
  }
}

const turnOf = ({ role, name, content }: z.infer<typeof message>): RequestTurn => ({
  role: role === 'developer' ? 'system' : role,
  name: name ?? undefined,
  parts: content.map((part) => (part.type === 'text' ? part.text : attachedFile(part.file))),
})
