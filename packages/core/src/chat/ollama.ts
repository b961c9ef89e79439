/**
 * A chat model on Ollama through its own /api/chat. Unlike its /v1, this takes the window with the request
 * (`options.num_ctx`), and `truncate: false` makes it reject a prompt that does not fit instead of cutting it silently.
 */
import { ChatError } from '../errors.ts'
import type { ChatModel, TokenLogprob } from './chat.ts'
import { toWellFormed } from './check-call.ts'
import { checkServerNumbers } from './check-numbers.ts'
import { readOllamaShow } from './context-window.ts'
import { asAmount, asArray, asObject, asString } from './json-fields.ts'
import { toFinishReason } from './openai-wire.ts'
import { splitReasoning } from './reasoning.ts'
import { createServerModel, type ServerModelOptions } from './server-model.ts'

export interface OllamaOptions extends Omit<ServerModelOptions, 'baseUrl'> {
  /** The server's address, with or without /v1. @default http://localhost:11434 */
  readonly baseUrl?: string | undefined
  /** The window to request from Ollama, in tokens (`num_ctx`). @default the profile's window, but at least 10_240 */
  readonly contextWindow?: number | undefined
}

const ollamaBaseUrl = 'http://localhost:11434'

/** The paper's window of 8,192, with room for the template. */
const defaultWindow = 10_240

/** @throws ConfigurationError for a bad URL or limit. Calls throw what those of an OpenAI-compatible server throw. */
export function createOllamaModel(options: OllamaOptions): ChatModel {
  const { model } = options
  // It becomes the window, and is not passed on to the server's model.
  checkServerNumbers({ contextWindow: options.contextWindow })
  const window = options.contextWindow ?? Math.max(defaultWindow, options.profile?.budget.window ?? 0)
  const extraOptions = asObject(options.extraBody?.options)
  return createServerModel(
    { ...options, baseUrl: options.baseUrl ?? ollamaBaseUrl, contextWindow: undefined },
    {
      kind: 'ollama',
      url: (address) => address.url('api/chat', 'root'),
      toBody: (messages, call) => ({
        model,
        messages: messages.map(({ role, content }) => ({ role, content: toWellFormed(content) })),
        stream: false,
        truncate: false,
        shift: false,
        ...(call.logprobs === true ? { logprobs: true } : {}),
        options: {
          ...extraOptions,
          num_ctx: window,
          num_predict: call.maxTokens,
          ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
          ...(call.topP === undefined ? {} : { top_p: call.topP }),
          ...(call.seed === undefined ? {} : { seed: call.seed }),
          ...(call.stop === undefined || call.stop.length === 0 ? {} : { stop: call.stop }),
        },
      }),
      fromBody: readAnswer,
      listModels: async (ask) =>
        asArray(asObject(await ask('GET', 'api/tags', { from: 'root' })).models).flatMap(
          (entry) => asString(asObject(entry).name) ?? [],
        ),
      async findWeights(ask) {
        const show = asObject(await ask('POST', 'api/show', { body: { model }, from: 'root' }))
        return show.modified_at === undefined ? undefined : JSON.stringify([window, show])
      },
      async findWindow(ask) {
        const show = await ask('POST', 'api/show', { body: { model }, from: 'root', isRequired: true })
        return Math.min(window, readOllamaShow(show)?.longest ?? window)
      },
      truncationHint: `Give the backend a larger contextWindow (it was ${window}), if the model was made for one.`,
    },
  )
}

function readAnswer(body: unknown, url: string) {
  const answer = asObject(body)
  const message = asObject(answer.message)
  const content = asString(message.content)
  if (content === undefined) {
    throw new ChatError({
      code: 'chat/empty-response',
      message: `The server at ${url} answered without a message`,
      hint: 'Is this an Ollama server?',
      details: { url },
    })
  }
  const { text, reasoning } = splitReasoning(content, asString(message.thinking))
  const promptTokens = asAmount(answer.prompt_eval_count)
  const completionTokens = asAmount(answer.eval_count ?? 0)
  const logprobs = readLogprobs(answer.logprobs)
  return {
    text,
    ...(reasoning === undefined ? {} : { reasoning }),
    usage:
      promptTokens === undefined || completionTokens === undefined
        ? undefined
        : { promptTokens, completionTokens },
    finishReason: toFinishReason(asString(answer.done_reason)),
    ...(logprobs === undefined ? {} : { logprobs }),
  }
}

function readLogprobs(value: unknown): TokenLogprob[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((entry) => {
    const { token, logprob } = asObject(entry)
    return typeof token === 'string' && typeof logprob === 'number' ? [{ token, logprob }] : []
  })
}
