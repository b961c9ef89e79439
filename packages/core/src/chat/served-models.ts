/** What models an OpenAI-compatible server has. */
import { ChatError } from '../errors.ts'
import { modelNames } from './context-window.ts'
import { exchange, type Fetch } from './http-exchange.ts'
import { parseJson } from './json-fields.ts'
import { parseServerAddress } from './server-address.ts'
import { serverError } from './server-error.ts'

export interface ServedModelsOptions {
  /** Such as `http://localhost:8000/v1`. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** @default 30_000 */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** @default the global fetch */
  readonly fetch?: Fetch | undefined
}

/**
 * Names of the models that the server lists at /models, in its order.
 * @throws ChatError when it cannot be reached, refuses, or answers something else; ConfigurationError for a bad URL or key
 */
export async function listServedModels(options: ServedModelsOptions): Promise<string[]> {
  const { timeoutMs = 30_000, signal, fetch = globalThis.fetch } = options
  const { url: toUrl, headers, redact } = parseServerAddress(options.baseUrl, options.apiKey)
  const url = toUrl('models')
  const reply = await exchange({ method: 'GET', url, headers, body: undefined, timeoutMs, signal, fetch })
  if (reply.status >= 300) throw serverError(reply, { url, model: 'any', redact, now: Date.now() })
  const names = modelNames(parseJson(reply.text))
  if (names.length > 0) return names
  throw new ChatError({
    code: 'chat/no-models',
    message: `${url} lists no models.`,
    hint: 'Is it the base URL of an OpenAI-compatible server, ending in /v1?',
    details: { url },
  })
}
