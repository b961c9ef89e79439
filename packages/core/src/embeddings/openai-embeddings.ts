/**
 * Embeds texts through any OpenAI-compatible `/v1/embeddings` endpoint (vLLM, llama.cpp, Ollama, text-embeddings-inference,
 * OpenAI, ...). Time-outs, retries and errors are those of the chat models.
 */
import { showAddress } from '../chat/address-text.ts'
import { toWellFormed } from '../chat/check-call.ts'
import { asAmount, asArray, asNumber, asObject, asString, type JsonObject } from '../chat/json-fields.ts'
import { connectToServer, type ServerConnectionOptions } from '../chat/server-connection.ts'
import { ChatError } from '../errors.ts'

export interface OpenAIEmbeddingsOptions extends ServerConnectionOptions {
  /** For one attempt, from sending to the last byte. @default 120_000 */
  readonly timeoutMs?: number | undefined
  /** Longest pause within a reply that has begun. @default 60_000 */
  readonly idleTimeoutMs?: number | undefined
}

export interface Embeddings {
  /** One per text, in the order of the texts, all of the same length. */
  readonly vectors: readonly Float32Array[]
  /** Undefined when the server reported none. */
  readonly promptTokens: number | undefined
}

export interface EmbeddingModel {
  /** For people and records, such as `openai:bge-m3`. */
  readonly name: string
  /**
   * One request for all texts; none may be empty.
   * @throws ChatError and its subclasses; an abort throws the signal's reason
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Embeddings>
}

/** @throws ConfigurationError for a bad URL or key */
export function createOpenAIEmbeddings(options: OpenAIEmbeddingsOptions): EmbeddingModel {
  const { model, timeoutMs = 120_000, idleTimeoutMs = 60_000 } = options
  const server = connectToServer(options)
  const target = server.address.url('embeddings')
  const url = showAddress(target)

  async function attempt(texts: readonly string[], signal: AbortSignal | undefined): Promise<Embeddings> {
    const reply = await server.request({
      method: 'POST',
      url: target,
      body: { model, input: texts.map(toWellFormed) },
      timeoutMs,
      idleTimeoutMs,
      signal,
    })
    const body = server.read(reply, target)
    const entries = asArray(asObject(body).data).map(asObject)
    if (entries.length !== texts.length) {
      throw broken(`holds ${entries.length} vectors for ${texts.length} texts`)
    }
    const vectors: Float32Array[] = []
    for (const [i, entry] of entries.entries()) vectors[asNumber(entry.index) ?? i] = vectorOf(entry)
    const length = vectors[0]?.length ?? 0
    for (let i = 0; i < texts.length; i++) {
      if (vectors[i] === undefined) throw broken(`lacks the vector of text ${i}`)
      if (vectors[i]!.length !== length) throw broken('contains vectors of different lengths')
    }
    return { vectors, promptTokens: asAmount(asObject(asObject(body).usage).prompt_tokens) }
  }

  function vectorOf({ embedding }: JsonObject): Float32Array {
    const numbers = asArray(embedding)
    if (numbers.length > 0 && numbers.every((value) => typeof value === 'number')) {
      return Float32Array.from(numbers as number[])
    }
    const given = asString(embedding) === undefined ? 'something else' : 'a text'
    throw broken(`holds ${given} where a vector of numbers belongs`)
  }

  const broken = (what: string) =>
    new ChatError({
      code: 'chat/broken-embeddings',
      message: `The answer of ${url} ${what}`,
      hint: `Is ${model} an embedding model?`,
      details: { url, model },
    })

  return {
    name: `openai:${model}`,
    async embed(texts, signal) {
      signal?.throwIfAborted()
      if (texts.length === 0) return { vectors: [], promptTokens: 0 }
      return server.patiently(() => attempt(texts, signal), { call: 'embeddings', signal })
    },
  }
}
