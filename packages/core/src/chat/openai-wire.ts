/** The wire format of /chat/completions, both ways, with the extensions of vLLM, SGLang, llama.cpp, Ollama and others. */
import { ChatError } from '../errors.ts'
import type { ChatOptions, ChatResult, FinishReason, TokenLogprob, TokenUsage } from './chat.ts'
import { toWellFormed } from './check-call.ts'
import { asAmount, asArray, asNumber, asObject, asString, type JsonObject } from './json-fields.ts'
import type { Message } from './message.ts'
import { closesUnopened, splitReasoning } from './reasoning.ts'

export interface RequestSettings {
  readonly model: string
  /** @default true */
  readonly takesSeed?: boolean
  /** @default true */
  readonly takesLogprobs?: boolean
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
}

/** The request's body. Undefined fields are left out, so that the server's defaults apply. */
export function toRequestBody(
  messages: readonly Message[],
  options: ChatOptions,
  settings: RequestSettings,
): Record<string, unknown> {
  const body: Record<string, unknown> = {
    model: settings.model,
    messages: messages.map(({ role, content }) => ({ role, content: toWellFormed(content) })),
    stream: false,
    [settings.maxTokensField]: options.maxTokens,
  }
  const optional = {
    temperature: options.temperature,
    top_p: options.topP,
    seed: settings.takesSeed === false ? undefined : options.seed,
    stop: options.stop === undefined || options.stop.length === 0 ? undefined : options.stop,
    logprobs: options.logprobs === true && settings.takesLogprobs !== false ? true : undefined,
  }
  for (const [key, value] of Object.entries(optional)) if (value !== undefined) body[key] = value
  return body
}

/** What is known about the model's reasoning. */
export interface Thinking {
  /** The template opens the thought and responses only close it, so a response that does not was cut before. */
  beginsInPrompt: boolean
}

/**
 * @param thinking learns from the response
 * @throws ChatError: `chat/empty-response` when the body holds no choice, `chat/server-fault` when the server broke off
 */
export function fromResponseBody(
  body: unknown,
  url: string,
  thinking: Thinking = { beginsInPrompt: false },
): ChatResult {
  const answer = asObject(body)
  const choice = asObject(asArray(answer.choices)[0])
  const message = asObject(choice.message)
  if (Object.keys(message).length === 0) {
    throw new ChatError({
      code: 'chat/empty-response',
      message: `The server at ${url} answered without a choice${saidBy(answer)}`,
      hint: 'Is this a chat model? Base models and embedding models have no chat endpoint.',
      details: { url },
    })
  }
  const finish = asString(choice.finish_reason)
  if (failures.has((finish ?? '').toLowerCase()) || (choice.error ?? null) !== null)
    throw brokenOff(url, finish)
  const content = readContent(message.content)
  if (closesUnopened(content.text)) thinking.beginsInPrompt = true
  const isCutThought =
    thinking.beginsInPrompt &&
    toFinishReason(finish).unified === 'length' &&
    !/<\/?think>/i.test(content.text)
  const { text, reasoning } = splitReasoning(
    isCutThought ? `<think>${content.text}` : content.text,
    asString(message.reasoning_content) ?? asString(message.reasoning),
    ...content.thoughts,
  )
  const refusal = asString(message.refusal)
  const logprobs = readLogprobs(choice.logprobs)
  const promptTokens = readIds(answer.prompt_token_ids)
  const responseTokens = readIds(choice.token_ids)
  return {
    text: text === '' && refusal !== undefined ? refusal : text,
    ...(reasoning === undefined ? {} : { reasoning }),
    usage: readUsage(answer),
    finishReason: toFinishReason(asString(choice.finish_reason), refusal !== undefined && refusal !== ''),
    ...(logprobs === undefined ? {} : { logprobs }),
    ...(promptTokens && responseTokens ? { tokens: { promptTokens, responseTokens } } : {}),
  }
}

/** What some gateways write where the choices would be, such as "the model is loading". */
function saidBy({ message, detail }: JsonObject): string {
  const said = (asString(message) ?? asString(detail) ?? '').trim()
  return said === '' ? '' : `: ${said.slice(0, 300)}`
}

/** Finish reasons for a fault of the server: OpenRouter, DeepSeek, vLLM. */
const failures: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource', 'abort'])

const brokenOff = (url: string, finish: string | undefined) =>
  new ChatError({
    code: 'chat/server-fault',
    message: `The server at ${url} broke off its response (finish_reason: ${finish ?? 'none, with an error'})`,
    hint: "The server's log tells why.",
    details: { url, finishReason: finish },
    isRetryable: true,
  })

/** By the words of many servers, in lower case. Gemini's come behind gateways that pass them on; its own endpoint writes `content_filter: RECITATION`. */
const finishReasons: ReadonlyMap<string, FinishReason['unified']> = new Map(
  Object.entries({
    stop: ['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'complete'],
    length: ['length', 'max_tokens', 'max_output_tokens', 'model_length'],
    refusal: [
      ...['content_filter', 'content_filtered', 'guardrail_intervened', 'refusal'],
      ...['safety', 'recitation', 'blocklist', 'prohibited_content', 'spii'],
    ],
  } as const).flatMap(([unified, words]) => words.map((word) => [word, unified as FinishReason['unified']])),
)

/** Maps the server's word, in any case and without what follows a colon, to the unified one, and keeps the original. */
export function toFinishReason(raw: string | undefined, isRefusal = false): FinishReason {
  const word = (raw ?? '').replace(/:.*$/s, '').trim().toLowerCase()
  return { unified: isRefusal ? 'refusal' : (finishReasons.get(word) ?? 'other'), raw }
}

function readUsage(answer: JsonObject): TokenUsage | undefined {
  const usage = asObject(answer.usage)
  const promptTokens = asAmount(usage.prompt_tokens)
  const completionTokens = asAmount(usage.completion_tokens ?? 0)
  if (promptTokens === undefined || completionTokens === undefined) return undefined
  const cached =
    asNumber(asObject(usage.prompt_tokens_details).cached_tokens) ??
    // DeepSeek, and llama.cpp before it had OpenAI's field.
    asNumber(usage.prompt_cache_hit_tokens) ??
    asNumber(asObject(answer.timings).cache_n)
  return {
    promptTokens,
    completionTokens: Math.max(
      completionTokens,
      // xAI and Gemini count reasoning only in the total.
      (asNumber(usage.total_tokens) ?? 0) - promptTokens,
    ),
    ...(cached === undefined ? {} : { cachedPromptTokens: Math.min(Math.max(0, cached), promptTokens) }),
  }
}

/** Content is a text, or a list of parts, some of which are reasoning (Mistral). */
function readContent(content: unknown): { text: string; thoughts: string[] } {
  if (typeof content === 'string') return { text: content, thoughts: [] }
  let text = ''
  const thoughts: string[] = []
  for (const part of asArray(content).map(asObject)) {
    if (part.type === 'thinking') {
      const inner = asArray(part.thinking).map((piece) => asString(asObject(piece).text) ?? '')
      thoughts.push(asString(part.thinking) ?? inner.join(''))
    } else {
      text += asString(part.text) ?? ''
    }
  }
  return { text, thoughts }
}

/** For every generated token, reasoning included. vLLM can name tokens `token_id:123`; llama.cpp sends an `id`. */
function readLogprobs(value: unknown): TokenLogprob[] | undefined {
  const content = asObject(value).content
  if (!Array.isArray(content)) return undefined
  return content.flatMap((entry) => {
    const { token, logprob, id } = asObject(entry)
    const name = asString(token)
    const number = typeof logprob === 'number' ? logprob : undefined
    if (name === undefined || number === undefined) return []
    const named = /^token_id:(\d+)$/.exec(name)
    const tokenId = asNumber(id) ?? asNumber(named?.[1])
    return [{ token: name, ...(tokenId === undefined ? {} : { id: tokenId }), logprob: number }]
  })
}

function readIds(value: unknown): number[] | undefined {
  return Array.isArray(value) && value.every((id) => Number.isInteger(id)) ? (value as number[]) : undefined
}
