/** A chat model on the embedded engine: a model folder, its chat template and tokenizer, and the generator. */
import {
  type ChatModel,
  type ChatResult,
  ChatTemplate,
  ConfigurationError,
  checkCall,
  chooseSampling,
  createConversationTokens,
  createHuggingFaceTokenizer,
  type HuggingFaceTokenizer,
  type Message,
  OverlongPromptError,
  strongHash,
} from '@memagent/core'
import { parseProfile } from '@memagent/core/settings'
import { parsePrecision } from './chat-profile.ts'
import { EngineError } from './errors.ts'
import { checkCount } from './generation/check-options.ts'
import { type GeneratorOptions, TextGenerator } from './generation/generator.ts'
import { GeneratorWorkers } from './generation/generator-workers.ts'
import { fingerprintOf } from './weights/fingerprint.ts'
import { loadModelFolder, type ModelFolder, tokenText } from './weights/model-folder.ts'

export interface EmbeddedChatModelSettings extends GeneratorOptions {
  /** Display name. @default the profile's name, or else the folder's */
  readonly name?: string | undefined
  /** Numbers in [0, 1), which seed the calls that have no seed of their own. @default Math.random */
  readonly random?: (() => number) | undefined
  /**
   * Number of worker threads, each with `threads` runtime threads. 0 generates in the caller's thread, 1 leaves it free for
   * other work, and one per core (with `threads: 1`) suits many documents at a time.
   * @default 0
   */
  readonly workers?: number | undefined
}

/** A model folder by its path (`config.json`, `model.safetensors`, `tokenizer.json`, ...), or already loaded. */
export type EmbeddedChatModelOptions = EmbeddedChatModelSettings &
  ({ readonly folder: string } | { readonly model: ModelFolder })

export interface EmbeddedChatModel extends ChatModel {
  readonly tokenizer: HuggingFaceTokenizer
  /** Exact token ids of the prompt, template included. */
  promptTokens(messages: readonly Message[]): number[]
  countPromptTokens(messages: readonly Message[]): number
  close(): Promise<void>
}

/**
 * The model batches concurrent calls.
 * @throws EngineError when the folder is incomplete, the model unsupported, or an option invalid
 */
export async function createEmbeddedChatModel(options: EmbeddedChatModelOptions): Promise<EmbeddedChatModel> {
  const model = 'model' in options ? options.model : await loadModelFolder(folderOf(options))
  const { config, weights, tokenizerJson, tokenizerConfig } = model
  const profile = model.profile && parseProfile(model.profile)
  const place = 'folder' in options ? options.folder : 'model'
  const name = `embedded:${options.name ?? profile?.name ?? place}`
  const tokenizer = createHuggingFaceTokenizer(tokenizerJson, tokenizerConfig, { name: `${name} tokenizer` })
  const conversation = createConversationTokens(tokenizer, new ChatTemplate({ tokenizerConfig }))
  const endToken = tokenizer.idOf(tokenText(tokenizerConfig.eos_token) ?? '')
  if (endToken === undefined) {
    throw new EngineError({
      code: 'engine/no-end-token',
      message: `${place}: the tokenizer lacks its eos_token.`,
    })
  }
  const precision = options.precision ?? (model.profile && parsePrecision(model.profile))
  const weightsFingerprint = fingerprintOf(weights)
  const { threads, maxBatch, workers = 0 } = options
  checkCount('workers', workers, 0)
  const generator =
    workers > 0
      ? await GeneratorWorkers.create(config, weights, workers, { threads, maxBatch, precision })
      : await TextGenerator.create(config, weights, { threads, maxBatch, precision })
  const window = config.maxPositions
  const random = options.random ?? Math.random

  return {
    name,
    tokenizer,
    profile,
    promptTokens: (messages) => conversation.prompt(messages).tokens,
    countPromptTokens: (messages) => conversation.prompt(messages).tokens.length,
    describe: async () => ({ model: name, contextWindow: window }),
    async identity() {
      const { sampling } = profile ?? {}
      const parts = [config, tokenizerJson, tokenizerConfig, sampling, precision, weightsFingerprint]
      return `embedded ${await strongHash(JSON.stringify(parts))}`
    },
    weights: async () => weightsFingerprint,
    close: () => generator.release(),
    async generate(messages, chat): Promise<ChatResult> {
      checkCall(messages, chat)
      const prompt = conversation.prompt(messages)
      checkRoom(prompt.tokens.length, chat.maxTokens, window)
      const [result] = await generator.generate(
        [
          {
            promptTokens: prompt.tokens,
            draftTokens:
              chat.draft === undefined ? undefined : conversation.response(messages, prompt.text, chat.draft),
            maxTokens: chat.maxTokens,
            ...chooseSampling(chat, profile?.sampling),
            seed: chat.seed ?? Math.floor(random() * 2 ** 32),
            stopTokens: [endToken],
            logprobs: chat.logprobs,
          },
        ],
        chat.signal,
      )
      const { tokens, logprobs, finishReason } = result!
      const text = tokenizer.decode(tokens.at(-1) === endToken ? tokens.slice(0, -1) : tokens)
      const cut = firstStop(text, chat.stop)
      return {
        text: cut === undefined ? text : text.slice(0, cut),
        usage: { promptTokens: prompt.tokens.length, completionTokens: tokens.length },
        finishReason: { unified: cut === undefined ? finishReason : 'stop', raw: finishReason },
        tokens: { promptTokens: prompt.tokens, responseTokens: tokens },
        ...(logprobs && {
          logprobs: tokens.map((id, i) => ({ token: tokenizer.decode([id]), id, logprob: logprobs[i]! })),
        }),
      }
    },
  }
}

function folderOf({ folder }: { readonly folder: string }): string {
  if (typeof folder === 'string') return folder
  throw new ConfigurationError({
    code: 'engine/no-model',
    message: 'No model was given: createEmbeddedChatModel takes { folder } or { model }.',
  })
}

function checkRoom(promptTokens: number, maxTokens: number, window: number): void {
  if (promptTokens + maxTokens <= window) return
  throw new OverlongPromptError({
    code: 'chat/overlong-prompt',
    message: `The prompt has ${promptTokens} tokens and leaves no room for ${maxTokens} more in the model's window of ${window}.`,
    hint: 'Lower the chunk, memory or output budget.',
    details: { promptTokens, maxTokens, window },
  })
}

/** Index of the earliest stop text. */
function firstStop(text: string, stops: readonly string[] = []): number | undefined {
  const places = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
  return places.length > 0 ? Math.min(...places) : undefined
}
