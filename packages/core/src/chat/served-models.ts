/** Lists the models of an OpenAI-compatible server. */
import { ChatError } from '../errors.ts'
import { showAddress } from './address-text.ts'
import { modelNames } from './context-window.ts'
import { connectToServer, type ServerConnectionOptions } from './server-connection.ts'

export interface ServedModelsOptions
  extends Pick<ServerConnectionOptions, 'baseUrl' | 'apiKey' | 'headers' | 'fetch'> {
  /** @default 30_000 */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Names of the models that the server lists at /models, in its order.
 * @throws ChatError when it cannot be reached, refuses, or replies with anything else; ConfigurationError for a bad URL or key
 */
export async function listServedModels(options: ServedModelsOptions): Promise<string[]> {
  const { timeoutMs = 30_000, signal } = options
  const server = connectToServer({ ...options, model: 'any' })
  const target = server.address.url('models')
  const reply = await server.request({ method: 'GET', url: target, timeoutMs, signal })
  const names = modelNames(server.read(reply, target))
  if (names.length > 0) return names
  const url = showAddress(target)
  throw new ChatError({
    code: 'chat/no-models',
    message: `${url} lists no models.`,
    hint: 'Is it the base URL of an OpenAI-compatible server, ending in /v1?',
    details: { url },
  })
}
