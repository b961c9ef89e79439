/** What a workflow may do while reading: the bridge from its conversations to a chat model. */
import type { ChatModel, ChatResult } from '../chat/chat.ts'
import type { ModelProfile, WindowBudget } from '../chat/profile.ts'
import { OverlongPromptError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { createNeutralizer } from '../workflows/neutralize.ts'
import type { Conversation, MemoryLog, ReadingContext } from '../workflows/workflow.ts'
import type { WorkflowEvent } from './events.ts'

export interface ContextOptions {
  readonly model: ChatModel
  readonly profile: ModelProfile
  readonly tokenizer: Tokenizer
  readonly seed: number
  readonly sampling: { readonly temperature?: number | undefined; readonly topP?: number | undefined }
  readonly signal: AbortSignal
  readonly emit: (event: WorkflowEvent) => void
  readonly onResult: (result: ChatResult, conversation: Conversation) => void
  readonly memoryLog: { readonly step: number; readonly text: string }[]
}

export function createReadingContext(options: ContextOptions): ReadingContext {
  const { model, profile, tokenizer, seed, sampling, signal, memoryLog } = options
  const chat = async (conversation: Conversation): Promise<ChatResult> => {
    signal.throwIfAborted()
    checkPrompt(model, conversation, profile.budget)
    const result = await model.generate(conversation.messages, {
      maxTokens: conversation.maxTokens,
      temperature: sampling.temperature,
      topP: sampling.topP,
      seed,
      stop: conversation.stop,
      draft: conversation.draft,
      signal,
    })
    options.onResult(result, conversation)
    return result
  }
  return {
    chat,
    chatAll: (conversations) => Promise.all(conversations.map(chat)),
    countTokens: async (text) => tokenizer.count(text),
    truncate: (text, maxTokens) => truncate(text, maxTokens, tokenizer),
    neutralize: createNeutralizer(profile.prompts.markers),
    prompts: profile.prompts,
    budget: profile.budget,
    seed,
    emit: options.emit,
    signal,
    memoryLog: logOf(memoryLog),
  }
}

/** Where the model can count a whole prompt, one that leaves no room for the response is an error with the numbers. */
function checkPrompt(model: ChatModel, conversation: Conversation, budget: WindowBudget): void {
  const tokens = model.countPromptTokens?.(conversation.messages)
  if (tokens === undefined || tokens + conversation.maxTokens <= budget.window) return
  throw new OverlongPromptError({
    code: 'chat/overlong-prompt',
    message: `The prompt has ${tokens} tokens and leaves no room for ${conversation.maxTokens} more in a window of ${budget.window}.`,
    hint: 'Lower the chunk, memory or output budget, or use a model with a larger window.',
    details: { tokens, maxTokens: conversation.maxTokens, window: budget.window, tag: conversation.tag },
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

function logOf(entries: { readonly step: number; readonly text: string }[]): MemoryLog {
  return {
    get length() {
      return entries.length
    },
    append: async (entry) => {
      entries.push({ ...entry })
    },
    get: async (index) => entries[index]!,
  }
}
