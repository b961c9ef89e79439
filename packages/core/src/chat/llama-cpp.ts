/**
 * A chat model from a GGUF file, run in this process by llama.cpp through the optional package node-llama-cpp. It uses
 * the library's sequences rather than its chat session, because they give log-probabilities, seeds and exact token ids.
 * Prompts are rendered here with the file's template.
 */
import { ChatError, ConfigurationError, MemAgentError, OverlongPromptError } from '../errors.ts'
import { fileFingerprint } from '../files/file-fingerprint.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { ChatModel, ChatOptions, ChatResult, TokenLogprob } from './chat.ts'
import { ChatTemplate } from './chat-template.ts'
import { checkCall, toWellFormed } from './check-call.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { DraftFollower } from './draft-follower.ts'
import type { Message } from './message.ts'
import {
  type GeneratedToken,
  type LlamaModel,
  type LlamaSequence,
  loadLlamaModule,
} from './node-llama-cpp.ts'
import type { ModelProfile } from './profile.ts'
import { beginsWithThought, splitReasoning } from './reasoning.ts'
import { chooseSampling, type Sampling } from './sampling.ts'

export interface LlamaCppOptions {
  readonly path: string
  readonly name?: string | undefined
  /** Window for prompt and response, in tokens. @default the profile's, but at least 10_240, up to what the model supports */
  readonly contextWindow?: number | undefined
  /** Concurrent calls; each has its own window in memory. @default 1 */
  readonly concurrency?: number | undefined
  /** `false` runs on the CPU. @default 'auto' */
  readonly gpu?: 'auto' | false | 'metal' | 'cuda' | 'vulkan' | undefined
  /** @default the library's */
  readonly threads?: number | undefined
  /** Jinja text, for files with no template or the wrong one. */
  readonly template?: string | undefined
  readonly profile?: ModelProfile | undefined
  /** For calls that set none. @default the profile's, otherwise 1 as sampled in training */
  readonly sampling?: Sampling | undefined
  /** Loads node-llama-cpp from elsewhere. */
  readonly load?: (() => Promise<unknown>) | undefined
}

export interface LlamaCppModel extends ChatModel {
  readonly tokenizer: Tokenizer
  countPromptTokens(messages: readonly Message[]): number
  close(): Promise<void>
}

/** The paper's window of 8,192, with room for the template. */
const defaultWindow = 10_240
/** Prompt tokens evaluated between checks of the signal. */
const prefillTokens = 512

/**
 * Loads the file; close the model to free its memory. Log-probabilities are those under the call's sampling settings (at
 * temperature 0, or 1 with top-p 1, the model's own).
 * @throws ConfigurationError when node-llama-cpp is not installed or the file has no template; ChatError when the file
 * cannot be loaded
 */
export async function createLlamaCppModel(options: LlamaCppOptions): Promise<LlamaCppModel> {
  const { path, profile, concurrency = 1, threads } = options
  const limit = createConcurrencyLimit(concurrency)
  const { getLlama } = await loadLlamaModule(options.load)
  const opened: { dispose(): Promise<void> }[] = []
  const close = async () => {
    for (const resource of opened.splice(0).reverse()) await resource.dispose()
  }
  try {
    const llama = await getLlama({
      gpu: options.gpu ?? 'auto',
      build: 'never',
      logLevel: 'error',
      progressLogs: false,
      ...(threads === undefined ? {} : { maxThreads: threads }),
    })
    opened.push(llama)
    const model = await llama.loadModel({ modelPath: path })
    opened.push(model)
    const template = templateOf(model, options)
    const wanted = options.contextWindow ?? Math.max(defaultWindow, profile?.budget.window ?? 0)
    const context = await model.createContext({
      contextSize: Math.min(wanted, model.trainContextSize),
      sequences: concurrency,
      ...(threads === undefined ? {} : { threads }),
    })
    opened.push(context)
    const sequences = Array.from({ length: concurrency }, () => context.getSequence())
    // llama.cpp rounds sizes up; the requested size and the model's own limit still apply.
    const window = Math.min(context.contextSize, wanted, model.trainContextSize)
    const name = options.name ?? `gguf:${path}`
    return {
      name,
      profile,
      tokenizer: {
        name: `${name} tokenizer`,
        isExact: true,
        count: (text) => model.tokenize(text, false).length,
        encode: (text, { specialTokens = false } = {}) => model.tokenize(text, specialTokens),
        decode: (ids) => model.detokenize(ids, false),
      },
      countPromptTokens: (messages) => toPrompt(model, template, messages).length,
      describe: async () => ({ model: path, contextWindow: window }),
      async identity() {
        const defaults = [options.sampling, profile?.sampling]
        return JSON.stringify(['gguf', await fileFingerprint(path), options.template, defaults])
      },
      weights: () => fileFingerprint(path),
      close,
      generate: (messages, call) =>
        limit(async () => {
          checkCall(messages, call)
          if (opened.length === 0) {
            throw new ChatError({ code: 'gguf/closed', message: `${name} was closed` })
          }
          const prompt = toPrompt(model, template, messages)
          checkWindow(prompt.length, call.maxTokens, window)
          const sequence = sequences.pop()!
          try {
            return await generate(model, sequence, prompt, {
              ...call,
              ...chooseSampling(call, options.sampling, profile?.sampling),
            })
          } catch (cause) {
            call.signal?.throwIfAborted()
            if (MemAgentError.isInstance(cause)) throw cause
            const message = `llama.cpp failed: ${(cause as Error).message}`
            throw new ChatError({ code: 'gguf/failed', message, details: { path }, cause })
          } finally {
            sequences.push(sequence)
          }
        }, call.signal),
    }
  } catch (cause) {
    await close()
    if (MemAgentError.isInstance(cause)) throw cause
    throw new ChatError({
      code: 'gguf/load-failed',
      message: `${path} cannot be loaded: ${(cause as Error).message}`,
      hint: 'Is it a complete GGUF file, and does it fit in memory with a window of this size?',
      details: { path },
      cause,
    })
  }
}

function templateOf(model: LlamaModel, options: LlamaCppOptions): ChatTemplate {
  const template = options.template ?? model.fileInfo.metadata.tokenizer?.chat_template
  if (template === undefined) {
    throw new ConfigurationError({
      code: 'gguf/no-template',
      message: `${options.path} holds no chat template`,
      hint: 'Is it a chat model? Otherwise pass the template as `template`.',
    })
  }
  const { bosString, eosString } = model.tokens
  return new ChatTemplate({
    template,
    tokenizerConfig: { bos_token: bosString ?? '', eos_token: eosString ?? '' },
  })
}

/** The whole prompt as token ids, with the beginning-of-text token if the model needs one. */
function toPrompt(model: LlamaModel, template: ChatTemplate, messages: readonly Message[]): number[] {
  const clean = messages.map(({ role, content }) => ({ role, content: toWellFormed(content) }))
  const tokens = model.tokenize(template.render(clean), true)
  const { bos, shouldPrependBosToken } = model.tokens
  return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens
}

function checkWindow(promptTokens: number, maxTokens: number, contextWindow: number): void {
  if (promptTokens + maxTokens <= contextWindow) return
  throw new OverlongPromptError({
    code: 'chat/overlong-prompt',
    message: `A prompt of ${promptTokens} tokens and ${maxTokens} of output do not fit the window of ${contextWindow}`,
    hint: 'Give the model a larger contextWindow if it supports one, or lower the window budget.',
    details: { promptTokens, maxTokens, contextWindow },
  })
}

async function generate(
  model: LlamaModel,
  sequence: LlamaSequence,
  prompt: readonly number[],
  call: ChatOptions,
): Promise<ChatResult> {
  const { signal, maxTokens, stop = [] } = call
  await sequence.clearHistory()
  // The last token is left to the sampling loop. Evaluated in pieces, so that an abort need not wait for a long prompt.
  const last = prompt.length - 1
  for (let start = 0; start < last; start += prefillTokens) {
    signal?.throwIfAborted()
    await sequence.evaluateWithoutGeneratingNewTokens(
      prompt.slice(start, Math.min(start + prefillTokens, last)),
    )
  }
  const ids: number[] = []
  const logprobs: TokenLogprob[] = []
  let end: { unified: 'stop' | 'length'; raw: string } = { unified: 'length', raw: 'length' }
  let text: string | undefined
  for await (const { token, confidence } of nextTokens(model, sequence, prompt[last]!, call)) {
    signal?.throwIfAborted()
    ids.push(token)
    if (call.logprobs === true) {
      const logprob = Math.min(0, Math.log(confidence ?? Number.NaN))
      logprobs.push({ token: model.detokenize([token], true), id: token, logprob })
    }
    if (model.isEogToken(token)) {
      end = { unified: 'stop', raw: 'end-of-generation' }
      break
    }
    const cut = stop.length === 0 ? undefined : firstStop(model.detokenize(ids, false), stop)
    if (cut !== undefined) {
      text = cut
      end = { unified: 'stop', raw: 'stop-text' }
      break
    }
    if (ids.length >= maxTokens) break
  }
  const said = end.raw === 'end-of-generation' ? ids.slice(0, -1) : ids
  // A response cut at the limit may end inside a character.
  text ??= textOf(model, said).replace(end.unified === 'length' ? /\uFFFD+$/ : /$^/, '')
  // Templates of reasoning models end with the opening tag, so the response only closes it, if it gets that far.
  const isThinking = /<think>\s*$/i.test(model.detokenize(prompt.slice(-promptEnd), true))
  return {
    ...withoutUndefined(splitReasoning(isThinking ? `<think>${text}` : text)),
    usage: { promptTokens: prompt.length, completionTokens: ids.length },
    finishReason: end,
    ...(call.logprobs === true ? { logprobs } : {}),
    tokens: { promptTokens: prompt, responseTokens: ids },
  }
}

/** More tokens than `<think>` and anything after it take. */
const promptEnd = 12

/** The text without control tokens, unless they mark a thought. */
function textOf(model: LlamaModel, tokens: readonly number[]): string {
  const marked = model.detokenize(tokens, true)
  return beginsWithThought(marked) ? marked : model.detokenize(tokens, false)
}

function nextTokens(
  model: LlamaModel,
  sequence: LlamaSequence,
  from: number,
  call: ChatOptions,
): AsyncGenerator<GeneratedToken, void, undefined> {
  const { temperature = 1, topP = 1, seed, draft } = call
  const confidence = call.logprobs === true
  // Sampling at every proposed token would consume random numbers of the seed.
  if (draft && temperature === 0 && !sequence.needsCheckpoints) {
    return followDraft(sequence, from, model.tokenize(draft, false), call.maxTokens, confidence)
  }
  const sampling = { temperature, topP, topK: 0, minP: 0, ...(seed === undefined ? {} : { seed }) }
  return sequence.evaluateWithMetadata([from], { confidence }, { ...sampling, yieldEogToken: true })
}

/**
 * The most likely tokens, verifying many tokens of the draft in one evaluation. The library's own token predictors
 * do not help here: they accept at most one token of each proposal.
 */
async function* followDraft(
  sequence: LlamaSequence,
  from: number,
  draft: readonly number[],
  maxTokens: number,
  confidence: boolean,
): AsyncGenerator<GeneratedToken, void, undefined> {
  const follower = new DraftFollower(draft)
  const options = { temperature: 0, topP: 1, topK: 0, minP: 0 }
  const generateNext = { token: true, confidence, options } as const
  for (let [last, said] = [from, 0]; said < maxTokens; ) {
    const proposal = follower.proposal().slice(0, maxTokens - said - 1)
    const outputs = await sequence.controlledEvaluate(
      [last, ...proposal].map((token) => [token, { generateNext }]),
    )
    const next = outputs.map((output) => {
      const { token, ...rest } = output?.next ?? {}
      if (typeof token !== 'number') throw new Error('no token was generated')
      return { token, ...rest }
    })
    let held = 0
    while (held < proposal.length && next[held]!.token === proposal[held]) held++
    const end = sequence.nextTokenIndex
    if (held < proposal.length) {
      await sequence.eraseContextTokenRanges([{ start: end - (proposal.length - held), end }])
    }
    for (const generated of next.slice(0, held + 1)) {
      yield generated
      follower.push(generated.token)
    }
    last = next[held]!.token
    said += held + 1
  }
}

/** The text before the first stop text; undefined when it contains none. */
function firstStop(text: string, stops: readonly string[]): string | undefined {
  const places = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0)
  return places.length === 0 ? undefined : text.slice(0, Math.min(...places))
}

function withoutUndefined({ text, reasoning }: { text: string; reasoning: string | undefined }) {
  return reasoning === undefined ? { text } : { text, reasoning }
}
