/**
 * Texts to vectors through any OpenAI-compatible `/v1/embeddings` endpoint (vLLM, llama.cpp, Ollama, text-embeddings-inference,
 * OpenAI, ...). Time-outs, retries and errors are those of the chat models.
 */

import { toWellFormed } from '../chat/check-call.ts'
import { exchange } from '../chat/http-exchange.ts'
import { asArray, asNumber, asObject, asString, type JsonObject, parseJson } from '../chat/json-fields.ts'
import { isUnreachable, withoutRetry } from '../chat/network-error.ts'
import { sleep as sleepFor, withRetries } from '../chat/retry.ts'
import { parseServerAddress } from '../chat/server-address.ts'
import { serverError, statusOfErrorBody } from '../chat/server-error.ts'
import type { ServerModelOptions } from '../chat/server-model.ts'
import { ChatError } from '../errors.ts'

export type OpenAIEmbeddingsOptions = Pick<
  ServerModelOptions,
  | 'baseUrl'
  | 'model'
  | 'apiKey'
  | 'timeoutMs'
  | 'idleTimeoutMs'
  | 'retry'
  | 'onRetry'
  | 'fetch'
  | 'random'
  | 'now'
  | 'sleep'
>

export interface Embeddings {
  /** One a text, in the order of the texts, all of the same length. */
  readonly vectors: readonly Float32Array[]
  /** Undefined when the server reported none. */
  readonly promptTokens: number | undefined
}

export interface EmbeddingModel {
  /** Shown to people and written to records: `openai:bge-m3`. */
  readonly name: string
  /**
   * One request for all of the texts; none may be empty.
   * @throws ChatError and its subclasses; an abort throws the signal's reason
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Embeddings>
}

/** @throws ConfigurationError for a bad URL or key */
export function createOpenAIEmbeddings(options: OpenAIEmbeddingsOptions): EmbeddingModel {
  const { model, timeoutMs = 120_000, idleTimeoutMs = 60_000, retry = {}, onRetry } = options
  const { random = Math.random, now = Date.now, sleep = sleepFor } = options
  const address = parseServerAddress(options.baseUrl, options.apiKey)
  const url = address.url('embeddings')
  let hasAnswered = false

  async function attempt(texts: readonly string[], signal: AbortSignal | undefined): Promise<Embeddings> {
    const reply = await exchange({
      method: 'POST',
      url,
      headers: address.headers,
      body: { model, input: texts.map(toWellFormed) },
      timeoutMs,
      idleTimeoutMs,
      signal,
      fetch: options.fetch ?? globalThis.fetch,
    }).catch((error: unknown) => {
      throw isUnreachable(error) && !hasAnswered ? withoutRetry(error as ChatError) : error
    })
    hasAnswered = true
    const call = { url, model, redact: address.redact, now: now() }
    if (reply.status >= 300) throw serverError(reply, call)
    const body = parseJson(reply.text)
    if (body === undefined) {
      if (/^\s*</.test(reply.text)) throw serverError(reply, call)
      throw broken(`broke off: ${reply.text.length} characters that are no JSON`)
    }
    if (asObject(body).error != null) {
      throw serverError({ ...reply, status: statusOfErrorBody(body) }, call)
    }
    const entries = asArray(asObject(body).data).map(asObject)
    if (entries.length !== texts.length) {
      throw broken(`holds ${entries.length} vectors for ${texts.length} texts`, { isRetryable: false })
    }
    const vectors: Float32Array[] = []
    for (const [i, entry] of entries.entries()) vectors[asNumber(entry.index) ?? i] = vectorOf(entry)
    const length = vectors[0]?.length ?? 0
    for (let i = 0; i < texts.length; i++) {
      if (vectors[i] === undefined) throw broken(`lacks the vector of text ${i}`, { isRetryable: false })
      if (vectors[i]!.length !== length) throw broken('holds vectors of two lengths', { isRetryable: false })
    }
    return { vectors, promptTokens: asNumber(asObject(asObject(body).usage).prompt_tokens) }
  }

  function vectorOf({ embedding }: JsonObject): Float32Array {
    const numbers = asArray(embedding)
    if (numbers.length > 0 && numbers.every((value) => typeof value === 'number')) {
      return Float32Array.from(numbers as number[])
    }
    const given = asString(embedding) === undefined ? 'something else' : 'a text'
    throw broken(`holds ${given} where a vector of numbers belongs`, { isRetryable: false })
  }

  const broken = (what: string, { isRetryable = true } = {}) =>
    new ChatError({
      code: 'chat/broken-embeddings',
      message: `The answer of ${url} ${what}`,
      hint: isRetryable ? undefined : `Is ${model} an embedding model?`,
      details: { url, model },
      isRetryable,
    })

  return {
    name: `openai:${model}`,
    async embed(texts, signal) {
      signal?.throwIfAborted()
      if (texts.length === 0) return { vectors: [], promptTokens: 0 }
      return withRetries(() => attempt(texts, signal), retry, { random, now, sleep, onRetry, signal })
    },
  }
}
