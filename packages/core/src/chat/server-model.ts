/**
 * Shared by all chat models over HTTP: the connection, the limit on concurrent calls, and the checks for cut prompts. The wire
 * format is a `ServerProtocol`.
 */
import { ChatError, OverlongPromptError, TruncatedPromptError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { showAddress } from './address-text.ts'
import type { ChatModel, ChatOptions, ChatResult, ModelDescription, TokenUsage } from './chat.ts'
import { checkCall } from './check-call.ts'
import { checkServerNumbers } from './check-numbers.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { endedByServer } from './ended-by-server.ts'
import type { HttpReply } from './http-exchange.ts'
import { parseJson } from './json-fields.ts'
import type { Message } from './message.ts'
import type { ModelProfile } from './profile.ts'
import { checkSampling, chooseSampling, type Sampling } from './sampling.ts'
import type { ServerAddress } from './server-address.ts'
import { connectToServer, type ServerConnectionOptions } from './server-connection.ts'
import { createTruncationCheck } from './truncation.ts'

export interface ServerModelOptions extends ServerConnectionOptions {
  /** The name in records and messages. */
  readonly name?: string | undefined
  /** For one attempt, from sending to the last byte. @default 600_000 */
  readonly timeoutMs?: number | undefined
  /** Longest pause within a reply that has begun. @default 60_000 */
  readonly idleTimeoutMs?: number | undefined
  /** Concurrent calls; a call that waits for a retry keeps its slot. @default 8 */
  readonly concurrency?: number | undefined
  /** Window for prompt and response in tokens, if you know better than the server reports. */
  readonly contextWindow?: number | undefined
  /** The model's own tokenizer; it makes the check for cut prompts exact. */
  readonly tokenizer?: Tokenizer | undefined
  /** Counts the whole prompt with the model's chat template. */
  readonly countPromptTokens?: ((messages: readonly Message[]) => number) | undefined
  readonly profile?: ModelProfile | undefined
  /** For calls that set none. @default the profile's, otherwise the server's */
  readonly sampling?: Sampling | undefined
  /** Extra fields of the request, such as `chat_template_kwargs`; the model's own fields win. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined
}

/** The wire format of one kind of server. Paths are relative to the base URL. */
export interface ServerProtocol {
  readonly kind: string
  /** The URL that conversations are sent to. */
  url(address: ServerAddress): string
  toBody(messages: readonly Message[], call: ChatOptions): Record<string, unknown>
  /** @param url in its printable form @throws ChatError when the body holds no answer */
  fromBody(body: unknown, url: string): ChatResult
  /** Returns true if the error shows that the server needs another form of request, which is then sent at once. */
  learn?(reply: HttpReply, sent: Readonly<Record<string, unknown>>): boolean
  listModels(ask: AskServer): Promise<string[]>
  /** The server's identifier of its weights, to distinguish others of the same name. @default nothing */
  findWeights?(ask: AskServer): Promise<string | undefined>
  /** The window that the server will serve, if it reports one. */
  findWindow(ask: AskServer): Promise<number | undefined>
  /** Advice if the server cuts prompts. */
  readonly truncationHint: string
}

export type AskServer = (
  method: 'GET' | 'POST',
  path: string,
  options?: {
    readonly body?: unknown
    readonly from?: 'base' | 'root'
    /** Throws errors instead of returning undefined. @default false */
    readonly isRequired?: boolean
    /** @default ten seconds */
    readonly isSlow?: boolean
  },
) => Promise<unknown>

const describeTimeoutMs = 10_000
/** Forms of a request, which a server may reject one after the other. */
const mostForms = 4

/** @throws ConfigurationError for a bad URL, key or limit */
export function createServerModel(options: ServerModelOptions, protocol: ServerProtocol): ChatModel {
  const { model, profile, tokenizer, countPromptTokens } = options
  const { timeoutMs = 600_000, idleTimeoutMs = 60_000, concurrency = 8 } = options
  checkServerNumbers(options)
  checkSampling(options.sampling)
  const server = connectToServer(options)
  const { address } = server
  const url = protocol.url(address)
  const limit = createConcurrencyLimit(concurrency)
  const hint = protocol.truncationHint
  const truncation = createTruncationCheck({ model, tokenizer, countPromptTokens, hint })
  let contextWindow = options.contextWindow

  async function attempt(messages: readonly Message[], call: ChatOptions): Promise<ChatResult> {
    const sampling = chooseSampling(call, options.sampling, profile?.sampling)
    for (let forms = 1; ; forms++) {
      const body = { ...options.extraBody, ...protocol.toBody(messages, { ...call, ...sampling }) }
      const { signal } = call
      const reply = await server.request({ method: 'POST', url, body, timeoutMs, idleTimeoutMs, signal })
      if (forms < mostForms && protocol.learn?.(reply, body)) continue
      return endedByServer(reply) ?? protocol.fromBody(server.read(reply, url), showAddress(url))
    }
  }

  const converse = (messages: readonly Message[], call: ChatOptions) =>
    server.patiently(() => attempt(messages, call), {
      call: 'chat',
      signal: call.signal,
      onWait: call.onWait,
    })

  const askWith =
    (signal: AbortSignal | undefined): AskServer =>
    async (method, path, { body, from = 'base', isRequired = false, isSlow = false } = {}) => {
      const url = address.url(path, from)
      const limitMs = isSlow ? timeoutMs : describeTimeoutMs
      const once = async () => {
        const reply = await server.request({ method, url, body, timeoutMs: limitMs, idleTimeoutMs, signal })
        if (isRequired && isFatal(reply)) throw server.failure(reply, url)
        return reply.status < 300 ? parseJson(reply.text) : undefined
      }
      if (isRequired) return server.patiently(once, { call: 'description', signal, onlyWhenBusy: true })
      return once().catch((error: unknown) => {
        if (signal?.aborted) throw error
        return undefined
      })
    }

  /** Adds the names that the server knows to an error about an unknown model. */
  async function explain(error: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    if (!(error instanceof ChatError) || error.code !== 'chat/unknown-model') return error
    const models = await protocol.listModels(askWith(signal))
    if (models.length === 0) return error
    return new ChatError({
      code: error.code,
      message: error.message,
      hint: address.redact(`It knows: ${models.slice(0, 20).join(', ')}${models.length > 20 ? ', ...' : ''}`),
      details: { ...error.details, models: models.slice(0, 100).map(address.redact) },
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

  /** More tokens than the window holds means that the server dropped the beginning while generating. */
  function checkShift({ usage }: ChatResult): void {
    if (contextWindow === undefined || usage === undefined) return
    const { promptTokens, completionTokens } = usage
    if (promptTokens + completionTokens <= contextWindow) return
    throw new TruncatedPromptError({
      code: 'chat/truncated-prompt',
      message: `${promptTokens} tokens of prompt and ${completionTokens} of output are more than the window of ${contextWindow}: the server dropped a part`,
      hint,
      details: { model, promptTokens, completionTokens, contextWindow },
    })
  }

  return {
    name: options.name ?? `${protocol.kind}:${model}`,
    tokenizer,
    profile,
    ...(countPromptTokens === undefined ? {} : { countPromptTokens }),

    generate(messages, call) {
      const { signal, onWait } = call
      return limit(async () => {
        checkCall(messages, call)
        checkWindow(messages, call.maxTokens)
        try {
          const answering = converse(messages, call)
          const expecting = inLaterTurn(() => truncation.expect(messages))
          // If the call fails, the count is never used.
          expecting.catch(() => undefined)
          const result = await answering
          let probed: TokenUsage = { promptTokens: 0, completionTokens: 0 }
          const measure = async (other: readonly Message[]) => {
            const { temperature } = call
            const asked = converse(other, { maxTokens: 1, temperature, signal, onWait })
            // If the server does not answer it, the reply stands unjudged.
            const { usage } = await asked.catch(() => ({ usage: undefined }))
            signal?.throwIfAborted()
            if (usage) probed = sumOf(probed, usage)
            return usage?.promptTokens
          }
          await truncation.check(messages, await expecting, result.usage?.promptTokens, measure)
          checkShift(result)
          return result.usage ? { ...result, usage: sumOf(result.usage, probed) } : result
        } catch (error) {
          throw await explain(error, signal)
        }
      }, signal)
    },

    async identity(signal) {
      const weights = await protocol.findWeights?.(askWith(signal))
      if (protocol.findWeights && weights === undefined) return undefined
      const { extraBody, sampling, headers } = options
      const sent = new Headers(headers)
      // The caller's key does not matter.
      sent.delete('authorization')
      const defaults = [sampling, profile?.sampling]
      return JSON.stringify([url, model, weights, options.contextWindow, extraBody, defaults, [...sent]])
    },

    /** Unknown: what distinguishes a server's models, including its address, may change while the model stays. */
    weights: async () => undefined,

    async describe(signal): Promise<ModelDescription> {
      contextWindow ??= await protocol.findWindow(askWith(signal))
      return { model, contextWindow }
    },
  }
}

const sumOf = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  ...one,
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
})

/** An error that every further call would meet, or a request to wait; after other failures nothing is known. */
const isFatal = ({ status }: HttpReply): boolean =>
  [401, 403, 429, 502, 503, 529].includes(status) || (status >= 300 && status < 400)

/** Runs after the work begun in this turn of the event loop, such as a request, is on its way. */
async function inLaterTurn<T>(work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve))
  return work()
}
