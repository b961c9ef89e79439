/**
 * Reassembles replies that some gateways stream although no stream was requested: server-sent events of an
 * OpenAI-compatible server, or Ollama's JSON lines.
 */
import { asArray, asObject, asString, type JsonObject, parseJson } from './json-fields.ts'

/** The whole reply; undefined when the text is not a stream, or the stream is incomplete. */
export function assembleStream(text: string): unknown {
  const parts = eventsOf(text) ?? linesOf(text)
  if (parts === undefined) return undefined
  const failed = parts.find(({ error }) => error != null)
  if (failed) return failed
  if (!parts.some(({ choices }) => Array.isArray(choices))) return fromLines(parts)
  return fromChunks(parts, /^data: ?\[DONE\]/m.test(text))
}

/** True for what looks like a stream, complete or not. */
export const isStream = (text: string): boolean => /^\s*(?:data|event|id|retry)?:/.test(text)

/** The data of server-sent events; undefined when the text is something else or an event is incomplete. */
function eventsOf(text: string): JsonObject[] | undefined {
  if (!isStream(text)) return undefined
  const events = text.split(/\r?\n\r?\n|\r\r/).flatMap((event) => {
    const data = event.split(/\r\n?|\n/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? [])
    return data.length === 0 ? [] : [data.join('\n')]
  })
  return objectsOf(events.filter((data) => data.trim() !== '[DONE]'))
}

function linesOf(text: string): JsonObject[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 ? objectsOf(lines) : undefined
}

function objectsOf(texts: readonly string[]): JsonObject[] | undefined {
  const objects = texts.map((text) => asObject(parseJson(text)))
  return objects.length > 0 && objects.every((object) => Object.keys(object).length > 0) ? objects : undefined
}

/** One completion from its chunks; undefined unless a finish reason or the end of the stream says that it is complete. */
function fromChunks(chunks: readonly JsonObject[], isDone: boolean): unknown {
  const choices = chunks.flatMap(({ choices }) => asArray(choices).slice(0, 1).map(asObject))
  const finish = choices.findLast(({ finish_reason }) => typeof finish_reason === 'string')
  if (finish === undefined && !isDone) return undefined
  const deltas = choices.map(({ delta, message }) => asObject(delta ?? message))
  const joined = (field: string) => {
    const pieces = deltas.flatMap((delta) => asString(delta[field]) ?? [])
    return pieces.length === 0 ? {} : { [field]: pieces.join('') }
  }
  const tools = deltas.flatMap(({ tool_calls }) => asArray(tool_calls))
  const logprobs = choices.flatMap(({ logprobs }) => asArray(asObject(logprobs).content))
  const ids = choices.flatMap(({ token_ids }) => asArray(token_ids))
  const usage = chunks.findLast((chunk) => chunk.usage != null)?.usage
  const promptIds = chunks.find(({ prompt_token_ids }) => prompt_token_ids != null)?.prompt_token_ids
  return {
    choices: [
      {
        message: {
          role: 'assistant',
          content: contentOf(deltas),
          ...joined('reasoning_content'),
          ...joined('reasoning'),
          ...joined('refusal'),
          ...(tools.length === 0 ? {} : { tool_calls: tools }),
        },
        finish_reason: finish?.finish_reason,
        ...(logprobs.length === 0 ? {} : { logprobs: { content: logprobs } }),
        ...(ids.length === 0 ? {} : { token_ids: ids }),
      },
    ],
    ...(usage === undefined ? {} : { usage }),
    ...(promptIds === undefined ? {} : { prompt_token_ids: promptIds }),
  }
}

/** A text, or a list of parts (as in whole replies) when the deltas carry parts (Mistral's reasoning). */
function contentOf(deltas: readonly JsonObject[]): unknown {
  const contents = deltas.map(({ content }) => content)
  if (!contents.some(Array.isArray)) return contents.map((content) => asString(content) ?? '').join('')
  return contents.flatMap((content) =>
    typeof content === 'string' ? { type: 'text', text: content } : asArray(content),
  )
}

/** Ollama's lines: the last one is marked as done and carries the token counts. */
function fromLines(lines: readonly JsonObject[]): unknown {
  const last = lines.at(-1)
  if (last?.done !== true) return undefined
  const messages = lines.map(({ message }) => asObject(message))
  const joined = (field: string) => messages.map((message) => asString(message[field]) ?? '').join('')
  const thinking = joined('thinking')
  const logprobs = lines.flatMap((line) => asArray(line.logprobs))
  return {
    ...last,
    message: { role: 'assistant', content: joined('content'), ...(thinking === '' ? {} : { thinking }) },
    ...(logprobs.length === 0 ? {} : { logprobs }),
  }
}
