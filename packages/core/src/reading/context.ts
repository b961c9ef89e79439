/** The context that a workflow reads with: connects its conversations to a chat model. */
import type { ChatModel, ChatResult, WaitNotice } from '../chat/chat.ts'
import { createConcurrencyLimit } from '../chat/concurrency-limit.ts'
import type { Message } from '../chat/message.ts'
import type { ModelProfile, WindowBudget } from '../chat/profile.ts'
import { promptTokens } from '../chat/prompt-tokens.ts'
import type { Sampling } from '../chat/sampling.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { createNeutralizer } from '../workflows/prompts/neutralize.ts'
import type { PromptPlaces, Prompts } from '../workflows/prompts/prompts.ts'
import type { Conversation, MemoryLogEntry, ReadingContext, WorkflowEvent } from '../workflows/workflow.ts'
import { closedMemoryLog } from './closed-memory-log.ts'
import { ConversationPlaces, seedOf } from './conversation-key.ts'
import { createConversations, type StepRules } from './conversations.ts'
import { holdConversation, isTight } from './hold-conversation.ts'
import { Journal } from './journal.ts'
import { createMemoryLog } from './memory-log.ts'
import { callUnlessUnwanted } from './unwanted-call.ts'

export const defaultConcurrency = 8

export interface ContextOptions<Places extends PromptPlaces = PromptPlaces> {
  readonly model: ChatModel
  readonly profile: ModelProfile
  /** The workflow's prompts: see `promptsFor`. */
  readonly prompts: Prompts<Places>
  readonly tokenizer: Tokenizer
  /** Every conversation gets its own seed, derived from this one and its tag. @default the model's, with seed 0 */
  readonly sampling?: Sampling | undefined
  /** Concurrent conversations, of a `chatAll` and of steps ahead. @default 8 */
  readonly concurrency?: number | undefined
  readonly mostAnswerTokens?: number | undefined
  /** @default false */
  readonly acceptsSilence?: boolean | undefined
  /** @default false */
  readonly isTrained?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly emit?: ((event: WorkflowEvent) => void) | undefined
  /** Called before every wait between two attempts at a call. */
  readonly onWait?: ((wait: WaitNotice) => void) | undefined
  readonly onResult?: ((result: ChatResult, conversation: Conversation) => void) | undefined
  /** Old memories so far. @default none */
  readonly memoryLog?: readonly MemoryLogEntry[] | undefined
  readonly onMemoryLogged?: ((entry: MemoryLogEntry, index: number) => void) | undefined
  /** The budget of the current step. @default the profile's */
  readonly budget?: (() => WindowBudget) | undefined
  /** Results that no step has taken yet. @default none */
  readonly journal?: Journal | undefined
}

export interface StepContext<Places extends PromptPlaces = PromptPlaces> extends ReadingContext<Places> {
  /** Ends a step; conversations are counted from zero again. */
  endStep(): void
  /** @param sequence steps that end before this one */
  ahead(sequence: number): AheadStep<Places>
}

/** A step that begins before its turn. Its events and results are reported when it is taken. */
export interface AheadStep<Places extends PromptPlaces = PromptPlaces> {
  readonly context: ReadingContext<Places>
  /** Reports its events and results, in order. */
  take(): void
  /** Stops asking. A call in flight may finish, so that its cost is known, unless it waits to be retried. */
  drop(): void
}

/** @throws ConfigurationError for a concurrency that is not a positive integer */
export function createReadingContext<Places extends PromptPlaces>(
  options: ContextOptions<Places>,
): StepContext<Places> {
  const { model, profile, prompts, tokenizer, sampling, journal = new Journal() } = options
  const { seed = 0 } = sampling ?? {}
  const { emit = () => undefined, signal = new AbortController().signal, onWait } = options
  const limit = createConcurrencyLimit(options.concurrency ?? defaultConcurrency)
  const warned = new Set<string>()

  const hold = (
    conversation: Conversation,
    place: string,
    abort: AbortSignal,
    onWaitOfCall = onWait,
  ): Promise<ChatResult> => {
    const call = { ...sampling, seed: seedOf(seed, place), signal: abort, onWait: onWaitOfCall }
    return holdConversation(model, conversation, profile.budget, call)
  }
  const warnIfTight = (result: ChatResult, conversation: Conversation) => {
    const { step, kind } = conversation.tag
    const code = kind === 'answer' ? 'answer-window-tight' : 'window-tight'
    if (warned.has(code) || !isTight(result, conversation, profile.budget)) return
    warned.add(code)
    const message = `A prompt had ${result.usage?.promptTokens} tokens, more than budgeted: with an output of ${conversation.maxTokens} it would not have fitted the window of ${profile.budget.window}. Lower the chunk, or give the model's own tokenizer.`
    emit({ type: 'warning', step, code, message })
  }
  const report: StepRules['report'] = (result, conversation, key) => {
    warnIfTight(result, conversation)
    journal.take(key)
    options.onResult?.(result, conversation)
  }

  const budget = options.budget ?? (() => profile.budget)
  const shared = {
    countTokens: async (text: string) => tokenizer.count(text),
    estimatesTokens: !tokenizer.isExact,
    truncate: (text: string, maxTokens: number) => truncate(text, maxTokens, tokenizer),
    neutralize: createNeutralizer(prompts.markers),
    roomBeside: async (messages: readonly Message[]) =>
      profile.budget.window - (await promptTokens(model, tokenizer, messages)),
    prompts,
    mostAnswerTokens: options.mostAnswerTokens,
    acceptsSilence: options.acceptsSilence ?? false,
    isTrained: options.isTrained ?? false,
    copiesBeside: profile.copiesBeside,
    leastConfidence: profile.leastConfidence,
    seed,
    signal,
  }
  const places = new ConversationPlaces()
  return {
    ...shared,
    get budget() {
      return budget()
    },
    ...createConversations({ places, journal, limit, signal, hold, report }),
    emit,
    memoryLog: createMemoryLog({ start: options.memoryLog, onAppend: options.onMemoryLogged }),
    endStep: () => places.clear(),

    ahead(sequence) {
      const happened: (() => void)[] = []
      const dropped = new AbortController()
      const ofStep: StepRules = {
        places: new ConversationPlaces(),
        journal,
        aheadOf: sequence,
        limit,
        signal,
        hold: (conversation, place, abort) =>
          callUnlessUnwanted(dropped.signal, abort, onWait, (leaving, onWaitOfCall) =>
            hold(conversation, place, leaving, onWaitOfCall),
          ),
        report: (...result) => happened.push(() => report(...result)),
      }
      return {
        context: {
          ...shared,
          budget: budget(),
          ...createConversations(ofStep),
          emit: (event) => happened.push(() => emit(event)),
          memoryLog: closedMemoryLog,
        },
        take() {
          for (const tell of happened.splice(0)) tell()
        },
        drop: () => dropped.abort(new Error('The memory changed before this chunk.')),
      }
    },
  }
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
