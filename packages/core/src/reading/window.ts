/** Checks before the first call that the budget fits the window, and that the model really has that window. */
import type { ChatModel } from '../chat/chat.ts'
import type { ModelProfile } from '../chat/profile.ts'
import { ConfigurationError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'

export interface WindowCheck {
  readonly model: ChatModel
  readonly profile: ModelProfile
  readonly tokenizer: Tokenizer
  readonly question: string
  readonly signal: AbortSignal
}

/** @throws ConfigurationError with the numbers and the way out; ChatError when the model cannot be reached */
export async function checkWindow({
  model,
  profile,
  tokenizer,
  question,
  signal,
}: WindowCheck): Promise<void> {
  const { budget, prompts } = profile
  const questionTokens = await tokenizer.count(question)
  if (questionTokens > budget.question) {
    throw new ConfigurationError({
      code: 'reading/question-too-long',
      message: `The question has ${questionTokens} tokens; the budget allows ${budget.question}.`,
      hint: 'Shorten the question, or raise the question budget within the window.',
      details: { questionTokens, budget: budget.question },
    })
  }
  const count = async (messages: ReturnType<typeof prompts.update>) =>
    model.countPromptTokens?.(messages) ??
    (await Promise.all(messages.map(async ({ content }) => tokenizer.count(content)))).reduce(
      (sum, n) => sum + n,
      0,
    )
  const empty = { question: '', memory: '', section: '' }
  const update =
    (await count(prompts.update(empty))) + questionTokens + budget.memory + budget.chunk + budget.memory
  const answer = (await count(prompts.answer(empty))) + questionTokens + budget.memory + budget.output
  const needed = Math.max(update, answer)
  if (needed > budget.window) {
    throw new ConfigurationError({
      code: 'reading/budget-exceeds-window',
      message: `The budget needs up to ${needed} tokens, more than the window of ${budget.window}: question ${questionTokens}, chunk ${budget.chunk}, memory ${budget.memory}, output ${budget.output}, and the prompt's own text.`,
      hint: 'Lower one of them, most easily the chunk, or raise the window if the model has a larger one.',
      details: { needed, ...budget },
    })
  }
  const description = await model.describe?.(signal)
  const served = description?.contextWindow
  if (served !== undefined && served < budget.window) {
    throw new ConfigurationError({
      code: 'reading/window-too-small',
      message: `${model.name} is served with a window of ${served} tokens; the reading needs ${budget.window}.`,
      hint: `Serve the model with a window of at least ${budget.window} tokens, or set --window ${served} with smaller budgets.`,
      details: { served, needed: budget.window },
    })
  }
}
