/** What a workflow may do while reading: connects its conversations to a chat model. */
import type { ChatModel, ChatResult, WaitNotice } from '../chat/chat.ts'
import { createConcurrencyLimit } from '../chat/concurrency-limit.ts'
import type { ModelProfile, WindowBudget } from '../chat/profile.ts'
import { promptTokens } from '../chat/prompt-tokens.ts'
import type { Sampling } from '../chat/sampling.ts'
import { ChatError, MemAgentError, OverlongPromptError, WorkflowError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { createNeutralizer } from '../workflows/neutralize.ts'
import type { PromptPlaces, Prompts } from '../workflows/prompts.ts'
import type { Conversation, MemoryLog, ReadingContext, WorkflowEvent } from '../workflows/workflow.ts'
import { ConversationPlaces, keyOf, seedOf } from './conversation-key.ts'

export interface MemoryLogEntry {
  readonly step: number
  readonly text: string
}

export interface ContextOptions<Places extends PromptPlaces = PromptPlaces> {
  readonly model: ChatModel
  readonly profile: ModelProfile
  /** The workflow's prompts: see `promptsFor`. */
  readonly prompts: Prompts<Places>
  readonly tokenizer: Tokenizer
  /** Every conversation gets its own seed, derived from this one and its tag. @default the model's, with seed 0 */
  readonly sampling?: Sampling | undefined
  /** Concurrent conversations of one `chatAll`. @default 8 */
  readonly concurrency?: number | undefined
  /** @default false */
  readonly acceptsSilence?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly emit?: ((event: WorkflowEvent) => void) | undefined
  /** Called before every wait between two attempts at a call. */
  readonly onWait?: ((wait: WaitNotice) => void) | undefined
  readonly onResult?: ((result: ChatResult, conversation: Conversation) => void) | undefined
  /** Old memories so far. @default none */
  readonly memoryLog?: readonly MemoryLogEntry[] | undefined
  readonly onMemoryLogged?: ((entry: MemoryLogEntry, index: number) => void) | undefined
  /** Results of conversations that a killed step had already finished, by key. */
  readonly journal?: ReadonlyMap<string, ChatResult> | undefined
  readonly onJournal?: ((key: string, result: ChatResult) => void) | undefined
}

export interface StepContext<Places extends PromptPlaces = PromptPlaces> extends ReadingContext<Places> {
  /** Ends a step: conversations are counted afresh, and the journal is used from here on. */
  endStep(): void
}

/** @throws ConfigurationError for a concurrency that is not a positive integer */
export function createReadingContext<Places extends PromptPlaces>(
  options: ContextOptions<Places>,
): StepContext<Places> {
  const { model, profile, prompts, tokenizer, sampling, concurrency = 8 } = options
  const { seed = 0 } = sampling ?? {}
  const { emit = () => undefined, signal = new AbortController().signal } = options
  const limit = createConcurrencyLimit(concurrency)
  const places = new ConversationPlaces()
  let journal = options.journal
  const warned = new Set<string>()

  const hold = async (conversation: Conversation, place: string, abort: AbortSignal): Promise<ChatResult> => {
    abort.throwIfAborted()
    checkPrompt(model, conversation, profile.budget)
    const result = await generate(model, conversation, {
      ...sampling,
      seed: seedOf(seed, place),
      maxTokens: conversation.maxTokens,
      stop: conversation.stop,
      draft: conversation.draft,
      signal: abort,
      onWait: options.onWait,
    })
    const isTight = checkUsage(result, conversation, profile.budget)
    const code = conversation.tag.kind === 'answer' ? 'answer-window-tight' : 'window-tight'
    if (isTight && !warned.has(code)) {
      warned.add(code)
      emit({
        type: 'warning',
        step: conversation.tag.step,
        code,
        message: `A prompt had ${result.usage?.promptTokens} tokens, more than budgeted: with an output of ${conversation.maxTokens} it would not have fitted the window of ${profile.budget.window}. Lower the chunk, or give the model's own tokenizer.`,
      })
    }
    return result
  }
  const chat = async (conversation: Conversation) => {
    const result = await hold(conversation, places.of(conversation), signal)
    options.onResult?.(result, conversation)
    return result
  }
  const chatAll = async (conversations: readonly Conversation[]) => {
    const [only] = conversations
    if (only && conversations.length === 1) return [await chat(only)]
    // The first failure aborts the others, and none is left running when it is thrown.
    const failing = new AbortController()
    const abort = AbortSignal.any([signal, failing.signal])
    let failure: { readonly error: unknown } | undefined
    const results = await Promise.all(
      conversations.map(async (conversation) => {
        const place = places.of(conversation)
        const key = keyOf(place, conversation)
        const known = journal?.get(key)
        if (known) return known
        try {
          const result = await limit(() => hold(conversation, place, abort), abort)
          options.onJournal?.(key, result)
          return result
        } catch (error) {
          failure ??= { error }
          failing.abort(error)
          return undefined
        }
      }),
    )
    signal.throwIfAborted()
    if (failure) throw failure.error
    const all = results as ChatResult[]
    for (const [i, result] of all.entries()) options.onResult?.(result, conversations[i]!)
    return all
  }
  return {
    chat,
    chatAll,
    countTokens: async (text) => tokenizer.count(text),
    truncate: (text, maxTokens) => truncate(text, maxTokens, tokenizer),
    neutralize: createNeutralizer(prompts.markers),
    roomBeside: async (messages) => profile.budget.window - (await promptTokens(model, tokenizer, messages)),
    prompts,
    budget: profile.budget,
    acceptsSilence: options.acceptsSilence ?? false,
    seed,
    emit,
    signal,
    memoryLog: createMemoryLog(options.memoryLog ?? [], options.onMemoryLogged),
    endStep() {
      places.clear()
      journal = undefined
    },
  }
}

/** A model may throw anything; untyped errors are wrapped once, here. */
async function generate(
  model: ChatModel,
  { messages, tag }: Conversation,
  options: Parameters<ChatModel['generate']>[1],
): Promise<ChatResult> {
  try {
    return await model.generate(messages, options)
  } catch (cause) {
    if (options.signal?.aborted || MemAgentError.isInstance(cause)) throw cause
    throw new ChatError({
      code: 'chat/failed',
      message: `${model.name} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      details: { model: model.name, tag: { ...tag } },
      cause,
    })
  }
}

/** If the model can count whole prompts, one that leaves no room for the response is an error with the numbers. */
function checkPrompt(model: ChatModel, conversation: Conversation, budget: WindowBudget): void {
  const tokens = model.countPromptTokens?.(conversation.messages)
  if (tokens === undefined || tokens + conversation.maxTokens <= budget.window) return
  throw overlong(tokens, `leaves no room for ${conversation.maxTokens} more`, conversation, budget)
}

/**
 * The same, by the usage that the model reported. Beyond the window: an error. Returns true if a full output would have exceeded it.
 */
function checkUsage({ usage }: ChatResult, conversation: Conversation, budget: WindowBudget): boolean {
  if (usage === undefined) return false
  const total = usage.promptTokens + usage.completionTokens
  if (total > budget.window) {
    throw overlong(
      usage.promptTokens,
      `with ${usage.completionTokens} of output came to ${total}`,
      conversation,
      budget,
    )
  }
  return usage.promptTokens + conversation.maxTokens > budget.window
}

function overlong(tokens: number, fate: string, { maxTokens, tag }: Conversation, { window }: WindowBudget) {
  return new OverlongPromptError({
    code: 'chat/overlong-prompt',
    message: `The prompt has ${tokens} tokens and ${fate} in a window of ${window}.`,
    hint: 'Lower the chunk, memory or output budget, or use a model with a larger window.',
    details: { tokens, maxTokens, window, tag: { ...tag } },
  })
}

/** The longest prefix of at most `maxTokens` tokens that ends between characters. */
export async function truncate(text: string, maxTokens: number, tokenizer: Tokenizer): Promise<string> {
  if ((await tokenizer.count(text)) <= maxTokens) return text
  const characters = Array.from(text)
  let [low, high] = [0, characters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((await tokenizer.count(characters.slice(0, middle).join(''))) <= maxTokens) low = middle
    else high = middle - 1
  }
  return characters.slice(0, low).join('')
}

function createMemoryLog(
  start: readonly MemoryLogEntry[],
  onAppend?: (entry: MemoryLogEntry, index: number) => void,
): MemoryLog {
  const entries = [...start]
  return {
    get length() {
      return entries.length
    },
    append: async ({ step, text }) => {
      entries.push({ step, text })
      onAppend?.({ step, text }, entries.length - 1)
    },
    get: async (index) => {
      const entry = entries[index]
      if (entry) return entry
      throw new WorkflowError({
        code: 'workflow/no-such-memory',
        message: `The memory log has ${entries.length} entries; there is no entry ${index}.`,
        details: { length: entries.length, index },
      })
    },
  }
}
