/** Chat models by the name a user gives: the place where backends are wired together. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChatModel,
  ConfigurationError,
  createOpenAICompatibleModel,
  type ModelProfile,
  serverFromEnvironment,
} from '@memagent/core'
import { createEmbeddedChatModel } from '@memagent/engine'

export interface ModelRequest {
  /** `openai:NAME`, `embedded:FOLDER`, a bare server model name, or undefined: the bundled model. */
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  /** Environment variable that holds the key. */
  readonly apiKeyVariable?: string | undefined
  readonly timeoutSeconds?: number | undefined
  readonly concurrency?: number | undefined
  readonly threads?: number | undefined
  readonly profile?: ModelProfile | undefined
}

interface Backend {
  readonly name: string
  readonly usage: string
  readonly create: (
    rest: string,
    request: ModelRequest,
    environment: Readonly<Record<string, string | undefined>>,
  ) => Promise<ChatModel>
}

export const backends: readonly Backend[] = [
  {
    name: 'embedded',
    usage: 'embedded:FOLDER   a model folder (safetensors, Llama kind), run in this process',
    create: (folder, request) => createEmbeddedChatModel({ folder, threads: request.threads }),
  },
  {
    name: 'openai',
    usage:
      'openai:NAME       any OpenAI-compatible server (vLLM, SGLang, llama.cpp, OpenAI); --base-url or OPENAI_BASE_URL',
    create: async (model, request, environment) => {
      const server = serverFromEnvironment(environment, request.baseUrl)
      return createOpenAICompatibleModel({
        baseUrl: server.baseUrl,
        model,
        apiKey: request.apiKeyVariable ? environment[request.apiKeyVariable] : server.apiKey,
        timeoutMs: request.timeoutSeconds === undefined ? undefined : request.timeoutSeconds * 1000,
        concurrency: request.concurrency,
        profile: request.profile,
      })
    },
  },
]

/** @throws ConfigurationError for an unknown backend, listing the known ones; EngineError, ChatError from the backend */
export async function openModel(
  request: ModelRequest,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly model: ChatModel; readonly isBundled: boolean }> {
  const { model: spec } = request
  if (spec === undefined && request.baseUrl === undefined) {
    return {
      model: await createEmbeddedChatModel({ folder: bundledModelFolder(), threads: request.threads }),
      isBundled: true,
    }
  }
  if (spec === undefined) {
    throw new ConfigurationError({
      code: 'cli/no-model-name',
      message: '--base-url needs --model with the name of a model on that server.',
      hint: `List them with: memagent models --base-url ${request.baseUrl}`,
    })
  }
  const colon = spec.indexOf(':')
  const backend = backends.find(({ name }) => name === spec.slice(0, colon))
  if (backend)
    return { model: await backend.create(spec.slice(colon + 1), request, environment), isBundled: false }
  if (request.baseUrl !== undefined) {
    const openai = backends.find(({ name }) => name === 'openai')!
    return { model: await openai.create(spec, request, environment), isBundled: false }
  }
  throw new ConfigurationError({
    code: 'cli/unknown-backend',
    message: `There is no backend for the model ${spec}.`,
    hint: `Models are named like this:\n    ${backends.map(({ usage }) => usage).join('\n    ')}`,
  })
}

/** @throws ConfigurationError when the package with the weights is not installed */
export function bundledModelFolder(): string {
  let folder: string | undefined
  try {
    folder = dirname(fileURLToPath(import.meta.resolve('@memagent/nano/package.json')))
  } catch {
    // Told below, with what to do about it.
  }
  if (folder && existsSync(`${folder}/model.safetensors`)) return folder
  throw new ConfigurationError({
    code: 'cli/no-bundled-model',
    message: 'The bundled model is not installed.',
    hint: 'Install @memagent/nano, or name a model with --model.',
  })
}
