/**
 * Counts tokens where the model is served: the `/tokenize` endpoint of vLLM, SGLang and llama.cpp. Counts only; ids would
 * bind a text to a server. Whoever asks often for the same text is answered from memory.
 */
import { exchange, type Fetch } from '../chat/http-exchange.ts'
import { asArray, asNumber, asObject, parseJson } from '../chat/json-fields.ts'
import { type RetryPolicy, type Sleep, sleep as sleepFor, withRetries } from '../chat/retry.ts'
import { parseServerAddress } from '../chat/server-address.ts'
import { ChatError, TokenizerError } from '../errors.ts'
import type { Tokenizer } from './tokenizer.ts'

export interface ServerTokenizerOptions {
  /** As for the chat model: `http://localhost:8000/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
  /** Of one count. @default 30 seconds; ten for the first question */
  readonly timeoutMs?: number | undefined
  readonly retry?: RetryPolicy | undefined
  readonly fetch?: Fetch | undefined
  readonly random?: (() => number) | undefined
  readonly now?: (() => number) | undefined
  readonly sleep?: Sleep | undefined
  /** Ends every count. */
  readonly signal?: AbortSignal | undefined
}

/** How servers want to be asked. Special tokens are neither added nor, where that can be said, recognised. */
const dialects: readonly ((text: string, model: string) => Record<string, unknown>)[] = [
  (prompt, model) => ({ model, prompt, add_special_tokens: false }),
  (content) => ({ content, add_special: false, parse_special: false }),
]
const probe = 'one two three'
const probeTimeoutMs = 10_000
/** Of the texts whose counts are remembered; a few chunks. */
const rememberedCharacters = 1 << 20

/**
 * Undefined when the server has no such endpoint or cannot be reached: then the caller estimates.
 * Counts throw TokenizerError when the server refuses, and ChatError for network faults and after the last attempt.
 * @throws ConfigurationError for a bad URL or key; an abort throws the signal's reason
 */
export async function createServerTokenizer(options: ServerTokenizerOptions): Promise<Tokenizer | undefined> {
  const { model, signal, timeoutMs = 30_000, retry = {} } = options
  const { random = Math.random, now = Date.now, sleep = sleepFor } = options
  const address = parseServerAddress(options.baseUrl, options.apiKey)
  const url = address.url('tokenize', 'root')

  async function ask(body: unknown, limitMs: number): Promise<number> {
    const fetch = options.fetch ?? globalThis.fetch
    const { headers } = address
    const reply = await exchange({ method: 'POST', url, headers, body, timeoutMs: limitMs, signal, fetch })
    const { count, tokens } = asObject(parseJson(reply.text))
    const known = asNumber(count) ?? (Array.isArray(tokens) ? asArray(tokens).length : undefined)
    if (reply.status < 300 && known !== undefined) return known
    throw new TokenizerError({
      code: 'tokenizer/server',
      message: `The server at ${url} did not count tokens (status ${reply.status})`,
      hint: "Give the model's tokenizer.json instead, or let tokens be estimated.",
      details: { url, status: reply.status, model },
      isRetryable: reply.status === 429 || reply.status >= 500,
    })
  }

  const toBody = await findDialect((body) => ask(body, Math.min(timeoutMs, probeTimeoutMs)), model, signal)
  if (toBody === undefined) return undefined
  const counts = new RememberedCounts()

  return {
    name: `tokenizer of ${model} at ${new URL(url).host}`,
    isExact: true,
    count(text) {
      if (text === '') return 0
      return counts.get(text, () =>
        withRetries(() => ask(toBody(text, model), timeoutMs), retry, { random, now, sleep, signal }),
      )
    },
  }
}

/** The first way of asking that gets a count of the probe. */
async function findDialect(
  ask: (body: unknown) => Promise<number>,
  model: string,
  signal: AbortSignal | undefined,
): Promise<(typeof dialects)[number] | undefined> {
  for (const dialect of dialects) {
    try {
      // A server that knows another field counts a text that is not there.
      if ((await ask(dialect(probe, model))) > 0) return dialect
    } catch (error) {
      if (signal?.aborted) throw error
      // Nobody there, or not in time: another way of asking does not help.
      if (error instanceof ChatError) return undefined
    }
  }
  return undefined
}

/** Counts of the latest texts, also of those still being counted. Failures are forgotten. */
class RememberedCounts {
  readonly #counts = new Map<string, number | Promise<number>>()
  #characters = 0

  get(text: string, count: () => Promise<number>): number | Promise<number> {
    const known = this.#counts.get(text)
    if (known !== undefined) return known
    const counting = count()
    this.#counts.set(text, counting)
    this.#characters += text.length
    for (const oldest of this.#counts.keys()) {
      if (this.#characters <= rememberedCharacters || oldest === text) break
      this.#forget(oldest)
    }
    return counting.then(
      (tokens) => {
        if (this.#counts.has(text)) this.#counts.set(text, tokens)
        return tokens
      },
      (error) => {
        this.#forget(text)
        throw error
      },
    )
  }

  #forget(text: string): void {
    if (this.#counts.delete(text)) this.#characters -= text.length
  }
}
