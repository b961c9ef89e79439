/**
 * A chat model on any OpenAI-compatible server (vLLM, SGLang, llama.cpp, Ollama, LM Studio, OpenAI, ...), over plain
 * `fetch` and without streaming. It is not a general client: one choice, text in and text out.
 */
import type { ChatModel } from './chat.ts'
import { findContextWindow, modelNames } from './context-window.ts'
import { openAIBaseUrl } from './environment.ts'
import { fromResponseBody, type Thinking, toRequestBody } from './openai-wire.ts'
import { refusesLogprobs, refusesSeed, wantsMaxCompletionTokens } from './server-error.ts'
import { createServerModel, type ServerModelOptions } from './server-model.ts'

export type OpenAICompatibleOptions = ServerModelOptions

/**
 * @throws ConfigurationError for a bad URL, key or limit. Calls throw `ChatError` and its subclasses: `OverlongPromptError`
 * when the server rejects the prompt for its length, `TruncatedPromptError` when it cut the prompt silently,
 * `RateLimitedError` and `ChatTimeoutError` after the last attempt.
 */
export function createOpenAICompatibleModel(options: OpenAICompatibleOptions): ChatModel {
  const { model } = options
  let maxTokensField: 'max_tokens' | 'max_completion_tokens' = 'max_tokens'
  let takesSeed = true
  let takesLogprobs = true
  const thinking: Thinking = { beginsInPrompt: false }
  return createServerModel(options, {
    kind: 'openai',
    url: (address) => address.url('chat/completions'),
    toBody: (messages, call) =>
      toRequestBody(messages, call, { model, maxTokensField, takesSeed, takesLogprobs }),
    fromBody: (body, url) => fromResponseBody(body, url, thinking),
    learn(reply, sent) {
      // Each of several calls in flight is sent again.
      if ('max_tokens' in sent && wantsMaxCompletionTokens(reply)) maxTokensField = 'max_completion_tokens'
      else if ('seed' in sent && refusesSeed(reply)) takesSeed = false
      else if ('logprobs' in sent && refusesLogprobs(reply)) takesLogprobs = false
      else return false
      return true
    },
    listModels: async (ask) => modelNames(await ask('GET', 'models')),
    async findWindow(ask) {
      const models = await ask('GET', 'models', { isRequired: true })
      // OpenAI itself has none of the native endpoints that self-hosted servers have.
      if (options.baseUrl.startsWith(openAIBaseUrl)) return undefined
      return findContextWindow(model, models, (method, path, body) =>
        ask(method, path, { body, from: 'root', isSlow: path === 'api/generate' }),
      )
    },
    truncationHint:
      'Serve the model with a larger window. Ollama: its /v1 ignores the window of a request; use the "ollama" backend ' +
      `(ollama:${model}), or make a model from a Modelfile with "PARAMETER num_ctx 10240".`,
  })
}
