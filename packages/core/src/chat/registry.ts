/**
 * Chat models by name: `openai:qwen2.5-7b`, `ollama:qwen2.5`, `gguf:./model.gguf`, or a user's own module by path. A backend is
 * loaded only when it is used. Packages above this one add backends by passing their own table: `{ ...chatBackends, embedded }`.
 */
import { ConfigurationError } from '../errors.ts'
import { isModulePath } from '../files/module-path.ts'
import type { ChatModel } from './chat.ts'
import { ollamaUrlFromEnvironment, openAIBaseUrl, serverFromEnvironment } from './environment.ts'
import { factoryOf, importAbsolute } from './module-model.ts'
import type { ServerModelOptions } from './server-model.ts'

/** Settings that a user can give for any model; each backend takes those that apply to it. */
export interface ModelSettings
  extends Pick<
    ServerModelOptions,
    | 'apiKey'
    | 'headers'
    | 'profile'
    | 'tokenizer'
    | 'contextWindow'
    | 'concurrency'
    | 'timeoutMs'
    | 'retry'
    | 'sampling'
    | 'onWait'
    | 'fetch'
  > {
  /** @default the backend's own, or the environment's */
  readonly baseUrl?: string | undefined
  /** Variables such as MEMAGENT_BASE_URL; pass `process.env` to use them. @default none */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  readonly threads?: number | undefined
  /** Aborts requests that belong to no call with a signal of its own, such as token counts. */
  readonly signal?: AbortSignal | undefined
}

export type ChatModelFactory = (
  /** The part after the colon: a model's name, a file or a folder. */
  target: string,
  settings: ModelSettings,
) => ChatModel | Promise<ChatModel>

export interface ChatBackend {
  /** For help texts: `ollama:NAME`. */
  readonly usage: string
  readonly description: string
  load(): Promise<ChatModelFactory>
}

export type ChatBackends = Readonly<Record<string, ChatBackend>>

export const chatBackends = {
  openai: {
    usage: 'openai:NAME',
    description: 'any OpenAI-compatible server (vLLM, SGLang, llama.cpp, LM Studio, OpenAI)',
    load: async () => {
      const { createOpenAICompatibleModel } = await import('./openai-compatible.ts')
      const { createServerTokenizer } = await import('../tokenizers/server.ts')
      return async (model, { environment = {}, ...settings }) => {
        const { baseUrl, apiKey } = serverFromEnvironment(environment, settings.baseUrl)
        const { headers, fetch, retry, onWait } = settings
        const server = { model, baseUrl, apiKey: settings.apiKey ?? apiKey, headers, fetch, retry, onWait }
        // OpenAI itself has no such endpoint.
        if (settings.tokenizer !== undefined || baseUrl.startsWith(openAIBaseUrl)) {
          return createOpenAICompatibleModel({ ...settings, ...server })
        }
        // Without it, a count waiting for a busy server would keep the process alive after the model is closed.
        const closing = new AbortController()
        const signal = settings.signal ? AbortSignal.any([closing.signal, settings.signal]) : closing.signal
        const tokenizer = await createServerTokenizer({ ...server, signal })
        return {
          ...createOpenAICompatibleModel({ ...settings, ...server, tokenizer }),
          close: async () => closing.abort(),
        }
      }
    },
  },
  ollama: {
    usage: 'ollama:NAME',
    description: 'Ollama through its own protocol, with the window the run needs',
    load: async () => {
      const { createOllamaModel } = await import('./ollama.ts')
      return (model, { environment = {}, ...settings }) =>
        createOllamaModel({
          ...settings,
          model,
          baseUrl: settings.baseUrl ?? ollamaUrlFromEnvironment(environment),
        })
    },
  },
  gguf: {
    usage: 'gguf:FILE',
    description: 'a GGUF file in this process (needs the package node-llama-cpp)',
    load: async () => {
      const { createLlamaCppModel } = await import('./llama-cpp.ts')
      return (path, { profile, contextWindow, concurrency, threads, sampling }) =>
        createLlamaCppModel({ path, profile, contextWindow, concurrency, threads, sampling })
    },
  },
} satisfies ChatBackends

export interface ModelSpec {
  /** A name from the table, or `module` for a module by path. */
  readonly backend: string
  readonly target: string
}

/**
 * Parses `backend:target`. A target may contain colons (`ollama:qwen2.5:7b`); a path (`./`, `../`, `/` or `file:`) names
 * a module that exports a `ChatModelFactory` as `createChatModel` or as its default.
 * @throws ConfigurationError listing the known backends
 */
export function parseModelSpec(spec: string, backends: ChatBackends = chatBackends): ModelSpec {
  if (isModulePath(spec)) return { backend: 'module', target: spec }
  const colon = spec.indexOf(':')
  const backend = colon < 0 ? '' : spec.slice(0, colon)
  const target = spec.slice(colon + 1)
  if (Object.hasOwn(backends, backend) && target !== '') return { backend, target }
  const isKnown = Object.hasOwn(backends, backend) || Object.hasOwn(backends, spec)
  throw new ConfigurationError({
    code: 'chat/model-spec',
    message: isKnown ? `"${spec}" names a backend but no model` : `"${spec}" names no known backend`,
    hint: `Write one of\n${Object.values(backends)
      .map(({ usage, description }) => `  ${usage.padEnd(18)} ${description}`)
      .join('\n')}\n  ${'./MODULE.mjs'.padEnd(18)} a module that exports createChatModel(target, settings)`,
    details: { spec, known: Object.keys(backends) },
  })
}

/**
 * Creates the model that a specification names.
 * @param load imports a module by path. @default absolute paths and URLs only, since core knows no working directory
 * @throws ConfigurationError for unknown names, and for modules that fail or give no chat model; whatever the backend throws
 */
export async function createChatModel(
  spec: string,
  settings: ModelSettings = {},
  backends: ChatBackends = chatBackends,
  load: (path: string) => Promise<unknown> = importAbsolute,
): Promise<ChatModel> {
  const { backend, target } = parseModelSpec(spec, backends)
  const factory = backend === 'module' ? await factoryOf(target, load) : await backends[backend]!.load()
  return factory(target, settings)
}
