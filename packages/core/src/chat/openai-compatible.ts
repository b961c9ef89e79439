/**
 * A chat model behind any OpenAI-compatible server (vLLM, SGLang, llama.cpp, Ollama, LM Studio, OpenAI, ...), over
 * plain `fetch` and without streaming. It is not a general client: one choice, text in and text out.
 */
import { ChatError, OverlongPromptError, TruncatedPromptError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { ChatModel, ChatOptions, ChatResult, Message } from './chat.ts'
import { checkCall } from './check-call.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { findContextWindow, modelNames } from './context-window.ts'
import { exchange, type Fetch, type HttpReply } from './http-exchange.ts'
import { asObject, parseJson } from './json-fields.ts'
import { isUnreachable } from './network-error.ts'
import { fromResponseBody, toRequestBody } from './openai-wire.ts'
import type { ModelProfile } from './profile.ts'
import { type RetryNotice, type RetryPolicy, type Sleep, sleep as sleepFor, withRetries } from './retry.ts'
import { parseServerAddress } from './server-address.ts'
import { serverError, statusOfErrorBody, wantsMaxCompletionTokens } from './server-error.ts'
import { createTruncationCheck } from './truncation.ts'

export interface ServerModelOptions {
  /** Such as `http://localhost:8000/v1`. */
  readonly baseUrl: string
  /** The name the server knows the model by. */
  readonly model: string
  /** Sent as a bearer token, never printed. */
  readonly apiKey?: string | undefined
  /** What records and people see. */
  readonly name?: string | undefined
  /** One attempt, from sending to the last byte. @default 600_000 */
  readonly timeoutMs?: number | undefined
  /** Longest silence inside an answer that has begun. @default 60_000 */
  readonly idleTimeoutMs?: number | undefined
  readonly retry?: RetryPolicy | undefined
  /** Calls at once; waiting for a retry holds the place. @default 8 */
  readonly concurrency?: number | undefined
  /** Prompt plus response in tokens, where you know better than the server tells. */
  readonly contextWindow?: number | undefined
  /** The model's own tokenizer makes the check for cut prompts exact. */
  readonly tokenizer?: Tokenizer | undefined
  /** Counts the whole prompt with the model's chat template. */
  readonly countPromptTokens?: ((messages: readonly Message[]) => number) | undefined
  readonly profile?: ModelProfile | undefined
  /** Where a call does not say. @default the profile's, else the server's */
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined
  /** @default the global fetch */
  readonly fetch?: Fetch | undefined
  readonly random?: (() => number) | undefined
  readonly now?: (() => number) | undefined
  readonly sleep?: Sleep | undefined
}

export interface OpenAICompatibleOptions extends ServerModelOptions {
  /** Further fields of the request, such as `chat_template_kwargs`; the model's own fields win. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined
}

const describeTimeoutMs = 10_000

/**
 * @throws ConfigurationError for a bad URL, key or limit. Calls throw `ChatError` and its kinds: `OverlongPromptError`
 * when the server refuses for length, `TruncatedPromptError` when it cut the prompt silently, `RateLimitedError` and
 * `ChatTimeoutError` after the last attempt.
 */
export function createOpenAICompatibleModel(options: OpenAICompatibleOptions): ChatModel {
  const { model, profile, tokenizer, countPromptTokens } = options
  const { timeoutMs = 600_000, idleTimeoutMs = 60_000, concurrency = 8, retry = {}, extraBody } = options
  const { random = Math.random, now = Date.now, sleep = sleepFor, onRetry } = options
  const address = parseServerAddress(options.baseUrl, options.apiKey)
  const limit = createConcurrencyLimit(concurrency)
  const truncation = createTruncationCheck({
    model,
    tokenizer,
    countPromptTokens,
    hint: truncationHint(model),
  })
  const url = address.url('chat/completions')
  let contextWindow = options.contextWindow
  let maxTokensField: 'max_tokens' | 'max_completion_tokens' = 'max_tokens'
  let hasAnswered = false

  const request = (
    method: 'GET' | 'POST',
    target: string,
    body: unknown,
    signal: AbortSignal | undefined,
    limitMs = timeoutMs,
  ): Promise<HttpReply> =>
    exchange({
      method,
      url: target,
      headers: address.headers,
      body,
      timeoutMs: limitMs,
      idleTimeoutMs,
      signal,
      fetch: options.fetch ?? globalThis.fetch,
    })

  const failure = (reply: HttpReply) => serverError(reply, { url, model, redact: address.redact, now: now() })

  async function attempt(messages: readonly Message[], call: ChatOptions): Promise<ChatResult> {
    const send = () =>
      request(
        'POST',
        url,
        toRequestBody(messages, call, {
          model,
          maxTokensField,
          temperature: options.temperature ?? profile?.sampling?.temperature,
          topP: options.topP ?? profile?.sampling?.topP,
          extraBody,
        }),
        call.signal,
      )
    let reply = await send().catch((error: unknown) => {
      throw isUnreachable(error) && !hasAnswered ? withoutRetry(error as ChatError) : error
    })
    hasAnswered = true
    if (maxTokensField === 'max_tokens' && wantsMaxCompletionTokens(reply)) {
      maxTokensField = 'max_completion_tokens'
      reply = await send()
    }
    if (reply.status >= 300) throw failure(reply)
    const body = parseJson(reply.text)
    if (body === undefined) {
      if (/^\s*</.test(reply.text)) throw failure(reply)
      throw new ChatError({
        code: 'chat/broken-response',
        message: `The answer of ${url} broke off: ${reply.text.length} characters that are no JSON`,
        details: { url, characters: reply.text.length },
        isRetryable: true,
      })
    }
    if (asObject(body).error != null && asObject(body).choices === undefined) {
      throw failure({ ...reply, status: statusOfErrorBody(body) })
    }
    return fromResponseBody(body, url)
  }

  const call = (messages: readonly Message[], callOptions: ChatOptions) =>
    withRetries(() => attempt(messages, callOptions), retry, {
      random,
      now,
      sleep,
      onRetry,
      signal: callOptions.signal,
    })

  async function listModels(signal: AbortSignal | undefined): Promise<string[]> {
    try {
      const reply = await request('GET', address.url('models'), undefined, signal, describeTimeoutMs)
      return modelNames(parseJson(reply.text))
    } catch (error) {
      if (signal?.aborted) throw error
      return []
    }
  }

  async function explain(error: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    if (!(error instanceof ChatError) || error.code !== 'chat/unknown-model') return error
    const models = await listModels(signal)
    if (models.length === 0) return error
    return new ChatError({
      code: error.code,
      message: error.message,
      hint: `It knows: ${models.slice(0, 20).join(', ')}${models.length > 20 ? ', ...' : ''}`,
      details: { ...error.details, models: models.slice(0, 100) },
    })
  }

  function checkWindow(messages: readonly Message[], maxTokens: number): void {
    if (countPromptTokens === undefined || contextWindow === undefined) return
    const promptTokens = countPromptTokens(messages)
    if (promptTokens + maxTokens <= contextWindow) return
    throw new OverlongPromptError({
      code: 'chat/overlong-prompt',
      message: `A prompt of ${promptTokens} tokens and ${maxTokens} of output do not fit the window of ${contextWindow}`,
      hint: 'Serve the model with a larger window, or lower the window budget of the run (chunk, memory, output).',
      details: { model, promptTokens, maxTokens, contextWindow },
    })
  }

  return {
    name: options.name ?? `openai:${model}`,
    tokenizer,
    profile,
    ...(countPromptTokens === undefined ? {} : { countPromptTokens }),

    generate(messages, callOptions) {
      const { signal } = callOptions
      return limit(async () => {
        checkCall(messages, callOptions)
        checkWindow(messages, callOptions.maxTokens)
        try {
          const result = await call(messages, callOptions)
          const measure = async (other: readonly Message[]) =>
            (await call(other, { maxTokens: 1, temperature: callOptions.temperature, signal })).usage
              ?.promptTokens
          await truncation.check(messages, result.usage?.promptTokens, measure)
          checkShift(result, contextWindow, model)
          return result
        } catch (error) {
          throw await explain(error, signal)
        }
      }, signal)
    },

    async describe(signal) {
      if (contextWindow !== undefined) return { model, contextWindow }
      const reply = await request('GET', address.url('models'), undefined, signal, describeTimeoutMs)
      if (reply.status === 401 || reply.status === 403) throw failure(reply)
      hasAnswered = true
      // A hosted service has none of the native endpoints of self-hosted servers.
      const isHosted = new URL(url).hostname === 'api.openai.com'
      const facts = await findContextWindow(model, parseJson(reply.text), async (method, path, body) => {
        if (isHosted) return undefined
        try {
          const limitMs = path === 'api/generate' ? timeoutMs : describeTimeoutMs
          const answer = await request(method, address.url(path, 'root'), body, signal, limitMs)
          return answer.status < 300 ? parseJson(answer.text) : undefined
        } catch (error) {
          if (signal?.aborted) throw error
          return undefined
        }
      })
      contextWindow = facts.contextWindow
      return { model, contextWindow }
    },
  }
}

/** More tokens than the window holds means that the server dropped the beginning while it generated. */
function checkShift(result: ChatResult, contextWindow: number | undefined, model: string): void {
  if (contextWindow === undefined || result.usage === undefined) return
  const { promptTokens, completionTokens } = result.usage
  if (promptTokens + completionTokens <= contextWindow) return
  throw new TruncatedPromptError({
    code: 'chat/truncated-prompt',
    message: `${promptTokens} tokens of prompt and ${completionTokens} of output are more than the window of ${contextWindow}: the server dropped a part`,
    hint: truncationHint(model),
    details: { model, promptTokens, completionTokens, contextWindow },
  })
}

function truncationHint(model: string): string {
  return (
    'Serve the model with a larger window. Ollama: its /v1 ignores the window of a request; use the "ollama" backend ' +
    `(ollama:${model}), or make a model from a Modelfile with "PARAMETER num_ctx 10240".`
  )
}

function withoutRetry(error: ChatError): ChatError {
  const { code, message, hint, details, cause } = error
  return new ChatError({ code, message, hint, details, cause })
}
