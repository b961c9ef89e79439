/** A chat model on the embedded engine: a model folder, its chat template and tokenizer, and the generator. */
import {
  type ChatModel,
  type ChatResult,
  ChatTemplate,
  createHuggingFaceTokenizer,
  type HuggingFaceTokenizer,
  type Message,
  type ModelProfile,
  OverlongPromptError,
  promptsNamed,
} from '@memagent/core'
import { EngineError } from './errors.ts'
import { Generator } from './generation/generator.ts'
import { loadModelFolder } from './weights/model-folder.ts'

export interface EmbeddedChatModelOptions {
  /** Model folder: `config.json`, `model.safetensors`, `tokenizer.json`, `tokenizer_config.json`, `profile.json`. */
  readonly folder: string
  /** Shown to people. @default the profile's name, else the folder */
  readonly name?: string | undefined
  /** @default 2 */
  readonly threads?: number | undefined
}

export interface EmbeddedChatModel extends ChatModel {
  readonly tokenizer: HuggingFaceTokenizer
  countPromptTokens(messages: readonly Message[]): number
  close(): Promise<void>
}

/** @throws EngineError when the folder is not whole or the model not supported */
export async function createEmbeddedChatModel(options: EmbeddedChatModelOptions): Promise<EmbeddedChatModel> {
  const {
    config,
    weights,
    tokenizerJson,
    tokenizerConfig,
    profile: profileJson,
  } = await loadModelFolder(options.folder)
  const profile = profileJson && profileOf(profileJson)
  const name = `embedded:${options.name ?? profile?.name ?? options.folder}`
  const tokenizer = createHuggingFaceTokenizer(tokenizerJson, tokenizerConfig, { name: `${name} tokenizer` })
  const template = new ChatTemplate({ tokenizerConfig })
  const endToken = tokenizer.idOf(String(tokenizerConfig.eos_token))
  if (endToken === undefined) {
    throw new EngineError({
      code: 'engine/no-end-token',
      message: `${options.folder}: the tokenizer lacks its eos_token.`,
    })
  }
  const generator = await Generator.create(
    config,
    weights,
    options.threads === undefined ? {} : { threads: options.threads },
  )
  const window = config.maxPositions
  const promptTokens = (messages: readonly Message[]) =>
    tokenizer.encode(template.render(messages, { addGenerationPrompt: true }), { specialTokens: true })

  return {
    name,
    tokenizer,
    profile,
    countPromptTokens: (messages) => promptTokens(messages).length,
    describe: async () => ({ model: name, contextWindow: window }),
    close: () => generator.release(),
    async generate(messages, chat): Promise<ChatResult> {
      const prompt = promptTokens(messages)
      if (prompt.length + chat.maxTokens > window) {
        throw new OverlongPromptError({
          code: 'chat/overlong-prompt',
          message: `The prompt has ${prompt.length} tokens and leaves no room for ${chat.maxTokens} more in the model's window of ${window}.`,
          hint: 'Lower the chunk, memory or output budget.',
          details: { promptTokens: prompt.length, maxTokens: chat.maxTokens, window },
        })
      }
      const [result] = await generator.generate(
        [
          {
            promptTokens: prompt,
            draftTokens: chat.draft === undefined ? undefined : [...tokenizer.encode(chat.draft), endToken],
            maxTokens: chat.maxTokens,
            temperature: chat.temperature ?? profile?.sampling?.temperature,
            topP: chat.topP ?? profile?.sampling?.topP,
            seed: chat.seed,
            stopTokens: [endToken],
            logprobs: chat.logprobs,
          },
        ],
        chat.signal,
      )
      const { tokens, logprobs, finishReason } = result!
      const isEnded = tokens.at(-1) === endToken
      const text = tokenizer.decode(isEnded ? tokens.slice(0, -1) : tokens)
      const cut = firstStop(text, chat.stop)
      return {
        text: cut === undefined ? text : text.slice(0, cut),
        usage: { promptTokens: prompt.length, completionTokens: tokens.length },
        finishReason: { unified: cut === undefined ? finishReason : 'stop', raw: finishReason },
        promptTokenIds: prompt,
        responseTokenIds: tokens,
        ...(logprobs
          ? {
              logprobs: tokens.map((id, i) => ({ token: tokenizer.decode([id]), id, logprob: logprobs[i]! })),
            }
          : {}),
      }
    },
  }
}

/** Where the first stop text begins. */
function firstStop(text: string, stops: readonly string[] = []): number | undefined {
  const places = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
  return places.length > 0 ? Math.min(...places) : undefined
}

function profileOf(json: Readonly<Record<string, unknown>>): ModelProfile {
  const { name, budget, prompts, sampling, chunking } = json as {
    name: string
    budget: ModelProfile['budget']
    prompts: string
    sampling?: { temperature?: number; topP?: number }
    chunking?: 'natural' | 'exact'
  }
  return { name, budget, prompts: promptsNamed(prompts), sampling, chunking }
}
