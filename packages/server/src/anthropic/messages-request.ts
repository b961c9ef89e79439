/** The request of `/v1/messages`. Unsupported parameters that would change the answer are refused, never ignored. */
import { z } from 'zod'
import {
  memagentField,
  noTools,
  nullAsMissing,
  only,
  temperature,
  textOr,
  tokens,
  topP,
  withoutEffect,
} from '../gateway/parse-body.ts'
import type { ProtocolRequest, RequestPart, RequestTurn } from '../gateway/protocol.ts'

const text = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  cache_control: withoutEffect,
  // As in replies that clients send back.
  citations: z.array(z.unknown()).nullish(),
})

const document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
      z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
      z.strictObject({ type: z.literal('file'), file_id: z.string() }),
    ],
    { error: 'takes "text", "base64" or "file": addresses are not opened' },
  ),
  title: z.string().nullish(),
  context: z.null({ error: 'is not supported; put it into a text block' }).optional(),
  citations: z.strictObject({ enabled: only(false, 'sources come back as memagent.sources') }).nullish(),
  cache_control: withoutEffect,
})

/** Sent back from earlier replies; not part of the conversation. */
const thought = z.looseObject({ type: z.enum(['thinking', 'redacted_thinking']) })

const block = nullAsMissing(
  z.discriminatedUnion('type', [text, document, thought], {
    error: 'takes text, document or thinking: images and tools are not supported',
  }),
)

const blocks = textOr(
  z.array(block, { error: 'takes a text, or a list of blocks { "type": "text", "text": ... }' }).min(1),
  (text) => [{ type: 'text', text }],
)

const display = z.enum(['summarized', 'omitted']).nullish()

export const messagesBody = z.strictObject({
  model: z.string(),
  messages: z
    .array(nullAsMissing(z.strictObject({ role: z.enum(['user', 'assistant', 'system']), content: blocks })))
    .min(1),
  system: blocks.optional(),
  max_tokens: tokens,
  stream: z.boolean().optional(),
  temperature,
  top_p: topP,
  // Clients cannot choose how much is thought, only whether it is shown.
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: tokens, display }),
      z.strictObject({ type: z.literal('adaptive'), display }),
      z.strictObject({ type: z.literal('disabled') }),
    ])
    .optional(),
  stop_sequences: z.array(z.unknown()).max(0, { error: 'must be empty: they are not supported' }).nullish(),
  tools: noTools,
  tool_choice: z.strictObject({ type: only('none', 'tools are not supported') }).nullish(),
  cache_control: withoutEffect,
  // Only relevant to the hosted service.
  metadata: withoutEffect,
  service_tier: withoutEffect,
  inference_geo: withoutEffect,
  memagent: memagentField,
})

export interface MessagesRequest extends ProtocolRequest {
  readonly showsThinking: boolean
}

export const countBody = messagesBody.extend({ max_tokens: tokens.optional() })

/** The request of `/v1/messages/count_tokens`. */
export function countRequest({
  model,
  messages,
  system,
}: z.infer<typeof countBody>): Pick<ProtocolRequest, 'model' | 'turns' | 'turnsField'> {
  return { model, turns: turnsOf(system, messages), turnsField: 'messages' }
}

export function messagesRequest(parsed: z.infer<typeof messagesBody>): MessagesRequest {
  const { model, messages, system, max_tokens, stream, temperature, top_p, thinking, memagent } = parsed
  return {
    model,
    turns: turnsOf(system, messages),
    turnsField: 'messages',
    question: memagent?.question,
    maxTokens: max_tokens,
    sampling: { temperature: temperature ?? undefined, topP: top_p ?? undefined },
    streams: stream ?? false,
    isPrivate: false,
    showsThinking: thinking !== undefined && thinking.type !== 'disabled' && thinking.display !== 'omitted',
  }
}

type Said = z.infer<typeof messagesBody>

function turnsOf(system: Said['system'], messages: Said['messages']): RequestTurn[] {
  const said = messages.map(turnOf)
  return system ? [{ ...turnOf({ role: 'system', content: system }), isBeside: true }, ...said] : said
}

const turnOf = ({
  role,
  content,
}: {
  role: RequestTurn['role']
  content: z.infer<typeof blocks>
}): RequestTurn => ({
  role,
  parts: content.flatMap((block) => {
    if (block.type === 'text') return [block.text]
    return block.type === 'document' ? [documentOf(block)] : []
  }),
})

function documentOf({ source, title }: z.infer<typeof document>): RequestPart {
  const name = title ?? undefined
  if (source.type === 'text') return { text: source.data, name }
  return source.type === 'file' ? { fileId: source.file_id, name } : { base64: source.data, name }
}
