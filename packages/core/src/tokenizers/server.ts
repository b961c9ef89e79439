/**
 * Counts tokens on the server of the model: the `/tokenize` endpoint of vLLM, SGLang and llama.cpp. Counts only; ids would bind a
 * text to a server. Counts of repeated texts are cached.
 */
import { showAddress } from '../chat/address-text.ts'
import { asArray, asNumber, asObject, parseJson } from '../chat/json-fields.ts'
import { connectToServer, type ServerConnectionOptions } from '../chat/server-connection.ts'
import { ChatError, TokenizerError } from '../errors.ts'
import type { Tokenizer } from './tokenizer.ts'

/** The base URL is the chat model's, such as `http://localhost:8000/v1`. */
export interface ServerTokenizerOptions extends ServerConnectionOptions {
  /** For one count. @default 30 seconds; at most ten for the first request */
  readonly timeoutMs?: number | undefined
  /** Aborts every count. */
  readonly signal?: AbortSignal | undefined
}

/** Request formats of the servers. Special tokens are not added, and not recognized if that can be specified. */
const dialects: readonly ((text: string, model: string) => Record<string, unknown>)[] = [
  (prompt, model) => ({ model, prompt, add_special_tokens: false }),
  (content) => ({ content, add_special: false, parse_special: false }),
]
const probe = 'one two three'
const probeTimeoutMs = 10_000
/** About half a minute: some gateways answer unknown paths as if the server were busy. */
const probeAttempts = 8
/** Total length of the texts whose counts are cached: a few chunks. */
const rememberedCharacters = 1 << 20

/**
 * Undefined if the server has no such endpoint or cannot be reached: then the caller estimates. Waits a while for a busy server,
 * since a resumed run must count the same text the same way.
 * Counts throw TokenizerError if the server rejects them, and ChatError for network faults and after the last attempt.
 * @throws ConfigurationError for a bad URL, key or header; RateLimitedError after too many refusals; an abort throws the signal's
 * reason
 */
export async function createServerTokenizer(options: ServerTokenizerOptions): Promise<Tokenizer | undefined> {
  const { model, signal, timeoutMs = 30_000 } = options
  const server = connectToServer(options)
  const patience = { call: 'token-count', signal } as const
  const target = server.address.url('tokenize', 'root')
  const url = showAddress(target)

  async function ask(body: unknown, limitMs: number): Promise<number> {
    const reply = await server.request({ method: 'POST', url: target, body, timeoutMs: limitMs, signal })
    const { count, tokens } = asObject(parseJson(reply.text))
    const known = asNumber(count) ?? (Array.isArray(tokens) ? asArray(tokens).length : undefined)
    if (reply.status < 300 && known !== undefined) return known
    if (reply.status === 429 || reply.status >= 500) throw server.failure(reply, target)
    throw new TokenizerError({
      code: 'tokenizer/server',
      message: `The server at ${url} did not count tokens (status ${reply.status})`,
      hint: "Pass the model's tokenizer.json instead, or let tokens be estimated.",
      details: { url, status: reply.status, model },
    })
  }

  const probeMs = Math.min(timeoutMs, probeTimeoutMs)
  const toBody = await findDialect(
    (body) =>
      server.patiently(() => ask(body, probeMs), {
        ...patience,
        onlyWhenBusy: true,
        mostAttempts: probeAttempts,
      }),
    model,
    signal,
  )
  if (toBody === undefined) return undefined
  const counts = new RememberedCounts()

  return {
    name: `tokenizer of ${model} at ${new URL(url).host}`,
    isExact: true,
    count(text) {
      if (text === '') return 0
      return counts.get(text, () => server.patiently(() => ask(toBody(text, model), timeoutMs), patience))
    },
  }
}

/** The first request format that returns a count of the probe. */
async function findDialect(
  ask: (body: unknown) => Promise<number>,
  model: string,
  signal: AbortSignal | undefined,
): Promise<(typeof dialects)[number] | undefined> {
  for (const dialect of dialects) {
    try {
      // A server that expects another field counts no text.
      if ((await ask(dialect(probe, model))) > 0) return dialect
    } catch (error) {
      if (signal?.aborted) throw error
      if (!(error instanceof ChatError)) continue
      if (error.code === 'chat/rate-limited') throw error
      // There is no server, or it is too slow: another format will not help.
      return undefined
    }
  }
  return undefined
}

/** Counts of the latest texts, including pending ones. Failures are forgotten. */
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
