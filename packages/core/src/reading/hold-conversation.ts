/** Holds one conversation, and checks that it fits the window before and after. */
import { askModel } from '../chat/ask-model.ts'
import type { ChatModel, ChatOptions, ChatResult } from '../chat/chat.ts'
import { keptLogprobs } from '../chat/kept-reply.ts'
import type { WindowBudget } from '../chat/profile.ts'
import { countedTokens } from '../chat/prompt-tokens.ts'
import type { Sampling } from '../chat/sampling.ts'
import { OverlongPromptError } from '../errors.ts'
import type { Conversation } from '../workflows/workflow.ts'

/** @throws OverlongPromptError when it exceeds the window; ChatError; an abort throws the signal's reason */
export async function holdConversation(
  model: ChatModel,
  conversation: Conversation,
  budget: WindowBudget,
  options: Sampling & Pick<ChatOptions, 'signal' | 'onWait'>,
): Promise<ChatResult> {
  options.signal?.throwIfAborted()
  checkPrompt(model, conversation, budget)
  const { messages, maxTokens, stop, draft, logprobs, tag } = conversation
  const settings = { ...options, maxTokens, stop, draft, logprobs }
  const result = await askModel(model, messages, settings, { tag: { ...tag } })
  checkUsage(result, conversation, budget)
  // As they are kept, so that a reading that is resumed goes on as it would have.
  return { ...result, logprobs: logprobs ? keptLogprobs(result.logprobs) : undefined }
}

/** Rejects a prompt that leaves no room for the response, with the numbers, if the model can count whole prompts. */
function checkPrompt(model: ChatModel, conversation: Conversation, budget: WindowBudget): void {
  const tokens = countedTokens(model, conversation.messages)
  if (tokens === undefined || tokens + conversation.maxTokens <= budget.window) return
  throw overlong(tokens, `leaves no room for ${conversation.maxTokens} more`, conversation, budget)
}

/** The same check, with the usage that the model reported. */
function checkUsage({ usage }: ChatResult, conversation: Conversation, budget: WindowBudget): void {
  if (usage === undefined) return
  const total = usage.promptTokens + usage.completionTokens
  if (total <= budget.window) return
  const fate = `with ${usage.completionTokens} of output came to ${total}`
  throw overlong(usage.promptTokens, fate, conversation, budget)
}

/** Whether a response of full length would have exceeded the window. */
export const isTight = (
  { usage }: ChatResult,
  { maxTokens }: Conversation,
  { window }: WindowBudget,
): boolean => usage !== undefined && usage.promptTokens + maxTokens > window

function overlong(tokens: number, fate: string, { maxTokens, tag }: Conversation, { window }: WindowBudget) {
  return new OverlongPromptError({
    code: 'chat/overlong-prompt',
    message: `The prompt has ${tokens} tokens and ${fate} in a window of ${window}.`,
    hint: 'Lower the chunk, memory or output budget, or use a model with a larger window.',
    details: { tokens, maxTokens, window, tag: { ...tag } },
  })
}
