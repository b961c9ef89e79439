/** Opens chat models by the name a user gives: core's backends, and the embedded engine with the bundled model. */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChatBackends,
  type ChatModel,
  ConfigurationError,
  chatBackends,
  createChatModel,
  createHuggingFaceTokenizer,
  type ModelSettings,
  serverFromEnvironment,
  type Tokenizer,
  type WaitNotice,
} from '@memagent/core'
import { createPatientFetch, loadModule } from '@memagent/core/node'
import { profileOf, readJsonFile } from './profile-file.ts'
import type { ServerWaits } from './server-waits.ts'

export interface ModelRequest
  extends Pick<ModelSettings, 'baseUrl' | 'headers' | 'retry' | 'concurrency' | 'threads'> {
  /** `openai:NAME`, `ollama:NAME`, `gguf:FILE`, `embedded:FOLDER`, a module; undefined: the bundled model. */
  readonly model?: string | undefined
  /** Environment variable that holds the key. */
  readonly apiKeyVariable?: string | undefined
  /** A `tokenizer.json` for models without one. */
  readonly tokenizerFile?: string | undefined
  /** A `profile.json` for models without one. @default for a GGUF file, the one beside it */
  readonly profileFile?: string | undefined
  readonly timeoutSeconds?: number | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

export const backends: ChatBackends = {
  embedded: {
    usage: 'embedded:FOLDER',
    description: 'a model folder (safetensors, Llama kind) in this process',
    load: async () => {
      const { createEmbeddedChatModel } = await import('@memagent/engine')
      // Worker threads, since this thread cuts chunks and draws the screen: one with up to four cores for sequential calls,
      // several with one core each for concurrent calls.
      return (folder, { threads, concurrency = 1 }) => {
        const cores = availableParallelism()
        const workers = Math.max(1, Math.min(concurrency, Math.floor(cores / (threads ?? 1))))
        return createEmbeddedChatModel({
          folder,
          workers,
          threads: threads ?? (workers > 1 ? 1 : Math.min(cores, 4)),
        })
      }
    },
  },
  ...chatBackends,
}

/** Address of the server of an `openai:` model; undefined for others. */
export const modelServer = (
  model: string | undefined,
  baseUrl: string | undefined,
  environment: Environment,
): string | undefined =>
  model?.startsWith('openai:') ? serverFromEnvironment(environment, baseUrl).baseUrl : undefined

/** The name for clients: `qwen2.5-7b` for `openai:qwen2.5-7b`. */
export const servedName = (model: string): string => model.replace(/^\w+:/, '').replace(/^.*[/\\]/, '')

/** What the user waits for while the model is opened. */
export const openingStage = (model: string | undefined): string =>
  /^(?:openai|ollama):/.test(model ?? '') ? `asking the server about ${model}` : 'loading the model'

export interface OpenedModel {
  readonly model: ChatModel
  /** True when no model was named. */
  readonly isBundled: boolean
}

/**
 * @param waits told of every wait for the server, also of those before the first call
 * @throws ConfigurationError for an unknown backend, listing the known ones; EngineError, ChatError from the backend
 */
export async function openModel(
  request: ModelRequest,
  environment: Environment,
  waits: ServerWaits,
): Promise<OpenedModel> {
  const { baseUrl } = request
  if (request.model === undefined && baseUrl !== undefined) {
    throw new ConfigurationError({
      code: 'cli/no-model-name',
      message: '--base-url needs --model, with the name of a model on that server.',
      hint: 'For instance: --model openai:qwen2.5-7b-instruct',
    })
  }
  const spec = request.model ?? `embedded:${bundledModelFolder()}`
  const settings = {
    baseUrl,
    apiKey: request.apiKeyVariable === undefined ? undefined : keyFrom(environment, request.apiKeyVariable),
    environment,
    profile: await profileOf(spec, request.profileFile),
    tokenizer: request.tokenizerFile === undefined ? undefined : await tokenizerFrom(request.tokenizerFile),
    concurrency: request.concurrency,
    threads: request.threads,
    headers: request.headers,
    retry: request.retry,
    onWait: (wait: WaitNotice) => waits.report(wait),
    signal: waits.signal,
    timeoutMs: request.timeoutSeconds === undefined ? undefined : request.timeoutSeconds * 1000,
    fetch: createPatientFetch(),
  }
  const load = async (path: string) =>
    (
      await loadModule(path, (reason, hint, cause) => {
        const message = `The module ${path}: ${reason}.`
        return new ConfigurationError({ code: 'chat/module', message, hint, cause })
      })
    ).exports
  return {
    model: await createChatModel(spec, settings, backends, load),
    isBundled: request.model === undefined,
  }
}

/** @throws ConfigurationError when the file is missing or not JSON; TokenizerError when it is not a tokenizer */
async function tokenizerFrom(path: string): Promise<Tokenizer> {
  const json = await readJsonFile(path, 'tokenizer', "Use the tokenizer.json from the model's repository.")
  return createHuggingFaceTokenizer(json, undefined, { name: path })
}

/** @throws ConfigurationError when the variable is not set */
function keyFrom(environment: Environment, name: string): string {
  const key = environment[name]?.trim()
  if (key) return key
  throw new ConfigurationError({
    code: 'cli/no-key',
    message: `The environment variable ${name} holds no key.`,
  })
}

/** @throws ConfigurationError when the package with the weights is not installed */
export function bundledModelFolder(): string {
  let folder: string | undefined
  try {
    folder = dirname(fileURLToPath(import.meta.resolve('@memagent/nano/package.json')))
  } catch {
    // Reported below, with a hint.
  }
  if (folder && existsSync(`${folder}/model.safetensors`)) return folder
  throw new ConfigurationError({
    code: 'cli/no-bundled-model',
    message: 'The bundled model is not installed.',
    hint: 'Install @memagent/nano, or choose a model with --model.',
  })
}
