/**
 * Finds out how many tokens a server will really accept, before a run is lost to a smaller window. Every kind of server
 * reports it differently; a 404 for a path that it does not have is not an error here.
 * - vLLM, SGLang: `max_model_len` in /v1/models; hosted services: `context_length`, `context_window`, ...
 * - llama.cpp: `n_ctx` (of one slot) in /props
 * - older SGLang: /get_server_info, /get_model_info
 * - LM Studio: /api/v0/models, the length the model was loaded with (not the longest it supports)
 * - Ollama: `num_ctx` of the model in /api/show, otherwise what /api/ps reports once the model is loaded. Its /v1
 *   ignores a window in the request.
 */
import { asArray, asCount, asObject, asString, type JsonObject } from './json-fields.ts'

/** Asks the server; undefined when it does not know the path or the reply is not JSON. */
export type Ask = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>

/** Ollama's window when neither the model nor the server sets one. */
const ollamaDefaultWindow = 4096

/** @param models the reply of /v1/models @param ask paths are relative to the server's root, without /v1 */
export async function findContextWindow(
  model: string,
  models: unknown,
  ask: Ask,
): Promise<number | undefined> {
  const entry = findEntry(asArray(asObject(models).data), 'id', model)
  const told = windowOfEntry(entry)
  const owner = asString(entry.owned_by)
  if (told !== undefined) return told
  const isLlamaCpp = owner === 'llamacpp'
  const [props, lmStudio, serverInfo, modelInfo, show] = await Promise.all([
    ask('GET', 'props'),
    isLlamaCpp ? undefined : ask('GET', 'api/v0/models'),
    isLlamaCpp ? undefined : ask('GET', 'get_server_info'),
    isLlamaCpp ? undefined : ask('GET', 'get_model_info'),
    isLlamaCpp ? undefined : ask('POST', 'api/show', { model }),
  ])
  const ofProps = asCount(asObject(asObject(props).default_generation_settings).n_ctx)
  const studio = findEntry(asArray(asObject(lmStudio).data), 'id', model)
  const found =
    ofProps ??
    asCount(studio.loaded_context_length) ??
    asCount(asObject(serverInfo).context_length) ??
    asCount(asObject(modelInfo).max_context_length) ??
    asCount(asObject(modelInfo).context_length)
  if (found !== undefined) return found
  const ollama = readOllamaShow(show)
  if (ollama === undefined) return undefined
  return Math.min(
    ollama.numCtx ?? (await ollamaLoadedWindow(model, ask)),
    ollama.longest ?? Number.POSITIVE_INFINITY,
  )
}

/** What Ollama reports about a model: its own setting and the longest window it supports; undefined for any other reply. */
export function readOllamaShow(
  show: unknown,
): { readonly numCtx: number | undefined; readonly longest: number | undefined } | undefined {
  const answer = asObject(show)
  const info = asObject(answer.model_info)
  const parameters = asString(answer.parameters)
  if (parameters === undefined && Object.keys(info).length === 0) return undefined
  const line = /^num_ctx\s+(\d+)\s*$/m.exec(parameters ?? '')
  const [, longest] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? []
  return { numCtx: asCount(line?.[1]), longest: asCount(longest) }
}

/** An empty generation loads the model as /v1 would; /api/ps then reports the window it was given. */
async function ollamaLoadedWindow(model: string, ask: Ask): Promise<number> {
  const read = async () => {
    const running = asArray(asObject(await ask('GET', 'api/ps')).models)
    return asCount(findEntry(running, 'name', model).context_length)
  }
  const loaded = await read()
  if (loaded !== undefined) return loaded
  await ask('POST', 'api/generate', { model, prompt: '', stream: false })
  return (await read()) ?? ollamaDefaultWindow
}

/** Names of the models in a reply of /v1/models. */
export function modelNames(models: unknown): string[] {
  return asArray(asObject(models).data).flatMap((entry) => asString(asObject(entry).id) ?? [])
}

function windowOfEntry(entry: JsonObject): number | undefined {
  return (
    asCount(entry.max_model_len) ??
    asCount(asObject(entry.top_provider).context_length) ??
    asCount(entry.context_length) ??
    asCount(entry.context_window) ??
    asCount(entry.max_context_length)
  )
}

/** The entry with that name, or an empty one; to Ollama `name:latest` is the same name. */
function findEntry(entries: readonly unknown[], key: string, model: string): JsonObject {
  return entries.map(asObject).find((entry) => entry[key] === model || entry[key] === `${model}:latest`) ?? {}
}
