/**
 * An OpenAI-compatible server for tests and benchmarks, on a free port of the loopback interface, with a window that it enforces
 * and faults on request. Repeats the last message by default. Not a model server.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Fault, isAnswerFault, playFault } from './stub-faults.ts'

export interface StubMessage {
  readonly role: string
  readonly content: string
}

export interface StubCall {
  /** Number of the call, from 0, in order of arrival. */
  readonly index: number
  readonly body: Readonly<Record<string, unknown>>
  readonly messages: readonly StubMessage[]
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Tokens of the prompt as sent, by the server's counter. */
  readonly promptTokens: number
}

export type StubReply =
  | string
  | { readonly text: string; readonly reasoning?: string; readonly finishReason?: string }

export interface StubServerOptions {
  /** What the model replies. @default the last message, up to maxTokens */
  readonly respond?: ((call: StubCall) => StubReply | Promise<StubReply>) | undefined
  /** Played one per call from the start; later calls succeed. A function decides for each call. */
  readonly faults?: readonly (Fault | undefined)[] | ((call: StubCall) => Fault | undefined) | undefined
  /** Tokens of a text. @default words */
  readonly countTokens?: ((text: string) => number) | undefined
  /** Tokens of a whole prompt. @default the sum over its messages */
  readonly countPrompt?: ((messages: readonly StubMessage[]) => number) | undefined
  /** Rejects prompt + output beyond it, in vLLM's words; reported by /v1/models. @default no limit */
  readonly contextWindow?: number | undefined
  /** Silently cuts longer prompts to half of it, as Ollama does; never reported. @default no limit */
  readonly silentWindow?: number | undefined
  /** Only this key is accepted. @default no key needed */
  readonly apiKey?: string | undefined
  /** Only these models exist. @default any */
  readonly models?: readonly string[] | undefined
  /** Keeps calls and requests for inspection; switch off in long benchmarks to keep memory flat. @default true */
  readonly isRecording?: boolean | undefined
  /** Prompt tokens that it reports as cached, such as from `createPrefixCache`. @default reports none */
  readonly cachedTokens?: ((messages: readonly StubMessage[]) => number) | undefined
  /** Vectors of texts for /v1/embeddings, which also plays faults. @default no such path */
  readonly embed?: ((texts: readonly string[]) => readonly (readonly number[])[]) | undefined
  /** Delay before every reply. @default 0 */
  readonly delayMs?: number | undefined
  /** Extra paths, such as native endpoints: the JSON to return, or undefined for 404. */
  readonly extra?: ((method: string, path: string, body: unknown) => unknown) | undefined
}

export interface StubServer {
  /** Ends in /v1. */
  readonly baseUrl: string
  readonly calls: readonly StubCall[]
  /** How many calls arrived, recorded or not. */
  readonly callCount: number
  /** Method and path of every request. */
  readonly requests: readonly string[]
  /** The largest number of concurrent calls so far. */
  readonly peakConcurrency: number
  /** Appends faults to those still pending. */
  addFaults(...faults: readonly (Fault | undefined)[]): void
  /** Closes every connection. Idempotent. */
  close(): Promise<void>
}

export async function createStubServer(options: StubServerOptions = {}): Promise<StubServer> {
  const countTokens = options.countTokens ?? ((text) => words(text).length)
  const countPrompt =
    options.countPrompt ??
    ((messages: readonly StubMessage[]) =>
      messages.reduce((sum, message) => sum + countTokens(message.content), 0))
  const calls: StubCall[] = []
  const requests: string[] = []
  const queue: (Fault | undefined)[] = typeof options.faults === 'function' ? [] : [...(options.faults ?? [])]
  const isRecording = options.isRecording ?? true
  let callCount = 0
  let active = 0
  let peakConcurrency = 0

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://stub').pathname
    if (isRecording) requests.push(`${request.method} ${path}`)
    // Clients may hang up at any time.
    response.on('error', () => undefined)
    request.on('error', () => undefined)
    void handle(request, response, path).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: { message: `stub: ${error}` } })
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const text = await readText(request)
    if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`) {
      const given = request.headers.authorization ?? 'no key'
      return sendJson(response, 401, {
        error: { message: `Incorrect API key provided: ${given}`, code: 'invalid_api_key' },
      })
    }
    if (request.method === 'GET' && path === '/v1/models') {
      const models = options.models ?? ['stub']
      return sendJson(response, 200, {
        object: 'list',
        data: models.map((id) => ({
          id,
          object: 'model',
          ...(options.contextWindow === undefined ? {} : { max_model_len: options.contextWindow }),
        })),
      })
    }
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const isEmbedding = options.embed !== undefined && path === '/v1/embeddings'
    if (request.method !== 'POST' || !(isEmbedding || path === '/v1/chat/completions')) {
      const answer = options.extra?.(request.method ?? 'GET', path, body)
      return answer === undefined
        ? sendJson(response, 404, { detail: 'Not Found' })
        : sendJson(response, 200, answer)
    }
    active++
    peakConcurrency = Math.max(peakConcurrency, active)
    response.on('close', () => active--)
    await (isEmbedding ? embed : complete)(request, response, body as Record<string, unknown>)
  }

  async function receive(
    request: IncomingMessage,
    body: Record<string, unknown>,
    messages: readonly StubMessage[],
  ): Promise<{ readonly call: StubCall; readonly fault: Fault | undefined }> {
    const call: StubCall = {
      index: callCount++,
      body,
      messages,
      headers: request.headers,
      promptTokens: countPrompt(messages),
    }
    if (isRecording) calls.push(call)
    if (options.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, options.delayMs))
    return { call, fault: typeof options.faults === 'function' ? options.faults(call) : queue.shift() }
  }

  async function embed(
    request: IncomingMessage,
    response: ServerResponse,
    body: Record<string, unknown>,
  ): Promise<void> {
    const texts = body.input as readonly string[]
    const messages = texts.map((content) => ({ role: 'user', content }))
    const { call, fault } = await receive(request, body, messages)
    const answer = {
      object: 'list',
      model: body.model,
      data: options.embed!(texts).map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: call.promptTokens, total_tokens: call.promptTokens },
    }
    if (fault !== undefined && !isAnswerFault(fault)) {
      return playFault(fault, response, JSON.stringify(answer))
    }
    sendJson(response, 200, answer)
  }

  async function complete(
    request: IncomingMessage,
    response: ServerResponse,
    body: Record<string, unknown>,
  ): Promise<void> {
    let messages = body.messages as readonly StubMessage[]
    const { call, fault } = await receive(request, body, messages)
    const model = String(body.model)
    if (options.models !== undefined && !options.models.includes(model)) {
      return sendJson(response, 404, {
        object: 'error',
        message: `The model \`${model}\` does not exist.`,
        type: 'NotFoundError',
        param: null,
        code: 404,
      })
    }
    const maxTokens = Number(body.max_tokens ?? body.max_completion_tokens ?? 16)
    const { contextWindow, silentWindow } = options
    let { promptTokens } = call
    if (contextWindow !== undefined && promptTokens + maxTokens > contextWindow) {
      return sendJson(response, 400, {
        object: 'error',
        message: `This model's maximum context length is ${contextWindow} tokens. However, you requested ${promptTokens + maxTokens} tokens (${promptTokens} in the messages, ${maxTokens} in the completion). Please reduce the length of the messages or completion.`,
        type: 'BadRequestError',
        param: null,
        code: 400,
      })
    }
    const cutTo =
      fault?.kind === 'cut-prompt'
        ? fault.tokens
        : silentWindow !== undefined && promptTokens > silentWindow
          ? silentWindow >> 1
          : undefined
    if (cutTo !== undefined && promptTokens > cutTo) {
      const kept = words(messages.map((message) => message.content).join(' ')).slice(-cutTo)
      messages = [{ role: 'user', content: kept.join('').trim() }]
      promptTokens = cutTo
    }
    const reply =
      fault?.kind === 'empty-text'
        ? ''
        : ((await options.respond?.({ ...call, messages })) ?? messages.at(-1)?.content ?? '')
    const cachedTokens = options.cachedTokens?.(messages)
    const answer = JSON.stringify(completion(reply, { promptTokens, cachedTokens }, maxTokens, body))
    if (fault !== undefined && !isAnswerFault(fault)) return playFault(fault, response, answer)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(answer)
  }

  function completion(
    reply: StubReply,
    {
      promptTokens,
      cachedTokens,
    }: { readonly promptTokens: number; readonly cachedTokens: number | undefined },
    maxTokens: number,
    body: Readonly<Record<string, unknown>>,
  ): unknown {
    const { text: whole, reasoning, finishReason } = typeof reply === 'string' ? { text: reply } : reply
    const pieces = words(whole)
    const isCut = pieces.length > maxTokens
    const text = isCut ? pieces.slice(0, maxTokens).join('') : whole
    return {
      id: 'stub',
      object: 'chat.completion',
      model: body.model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text,
            ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
          },
          finish_reason: finishReason ?? (isCut ? 'length' : 'stop'),
          logprobs:
            body.logprobs === true
              ? { content: words(text).map((token) => ({ token, logprob: -0.5, top_logprobs: [] })) }
              : null,
        },
      ],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: words(text).length,
        total_tokens: promptTokens + words(text).length,
        ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
      },
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls,
    requests,
    get callCount() {
      return callCount
    },
    get peakConcurrency() {
      return peakConcurrency
    },
    addFaults(...faults) {
      queue.push(...faults)
    },
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      return closing
    },
  }
}

/** Words with the white space before them; white space at the end belongs to the last one. */
export function words(text: string): string[] {
  // The pattern takes quadratic time for white space alone.
  return text.trim() === '' ? [] : text.match(/\s*\S+(?:\s+$)?/g)!
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
