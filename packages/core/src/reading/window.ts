/** Checks before the first call that the budget fits the window, and that the model really has that window. */
import type { ChatModel } from '../chat/chat.ts'
import type { ModelProfile } from '../chat/profile.ts'
import { promptTokens } from '../chat/prompt-tokens.ts'
import { ConfigurationError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { createNeutralizer } from '../workflows/neutralize.ts'

export interface BudgetCheck {
  readonly model: Pick<ChatModel, 'countPromptTokens'>
  readonly profile: ModelProfile
  readonly tokenizer: Tokenizer
  readonly question: string
}

export interface WindowCheck extends BudgetCheck {
  readonly model: ChatModel
  readonly signal: AbortSignal
}

/** @throws as `checkBudget`; ConfigurationError when the model's window is smaller; ChatError when it cannot be reached */
export async function checkWindow(check: WindowCheck): Promise<void> {
  const { model, signal } = check
  const { budget } = check.profile
  const { needed, wayOut } = await checkBudget(check)
  const served = (await model.describe?.(signal))?.contextWindow
  if (served !== undefined && served < budget.window) {
    throw new ConfigurationError({
      code: 'reading/window-too-small',
      message: `${model.name} is served with a window of ${served} tokens; the reading is set up for ${budget.window}.`,
      hint: `Serve the model with a window of at least ${budget.window} tokens, or read with a window of ${served} (--window ${served})${needed > served ? ` and ${wayOut(served)}` : ''}.`,
      details: { served, window: budget.window, needed },
    })
  }
}

/** Tokens that a reading may need in one call, and the budget that would fit a window. */
export interface BudgetNeeds {
  readonly needed: number
  readonly wayOut: (window: number) => string
}

/**
 * Renders the longest prompts with this question and with empty memory and section; the budget gives what those may hold
 * and what the response may add.
 * @throws ConfigurationError with the numbers and the way out
 */
export async function checkBudget(check: BudgetCheck): Promise<BudgetNeeds> {
  const { model, profile, tokenizer } = check
  const { budget, prompts } = profile
  checkNumbers(profile)
  const question = createNeutralizer(prompts.markers)(check.question)
  const questionTokens = await tokenizer.count(question)
  if (questionTokens > budget.question) {
    throw new ConfigurationError({
      code: 'reading/question-too-long',
      message: `The question has ${questionTokens} tokens; the budget allows ${budget.question}.`,
      hint: 'Shorten the question, or raise the question budget within the window.',
      details: { questionTokens, budget: budget.question },
    })
  }
  const updateMessages = prompts.update({ question, memory: '', section: '' })
  const updatePrompt = await promptTokens(model, tokenizer, updateMessages)
  const answerPrompt = await promptTokens(model, tokenizer, prompts.answer({ question, memory: '' }))
  const update = updatePrompt + budget.chunk + 2 * budget.memory
  const answer = answerPrompt + budget.memory + budget.output
  const needed = Math.max(update, answer)
  const wayOut = (window: number) => {
    const chunk = budget.chunk - (update - window)
    return answer <= window && chunk > 0 ? `chunks of ${chunk} tokens (--chunk ${chunk})` : 'smaller budgets'
  }
  if (needed > budget.window) {
    const prompt = update >= answer ? updatePrompt : answerPrompt
    const parts =
      update >= answer
        ? `chunk ${budget.chunk}, memory ${budget.memory} read and ${budget.memory} written`
        : `memory ${budget.memory}, answer ${budget.output}`
    throw new ConfigurationError({
      code: 'reading/budget-exceeds-window',
      message: `The budget needs up to ${needed} tokens, more than the window of ${budget.window}: ${parts}, question and instructions ${prompt}.`,
      hint: `Use ${wayOut(budget.window)}, or raise the window if the model has a larger one.`,
      details: { needed, prompt, ...budget },
    })
  }
  return { needed, wayOut }
}

function checkNumbers({ name, budget }: ModelProfile): void {
  for (const [part, tokens] of Object.entries(budget)) {
    if (Number.isInteger(tokens) && tokens > 0) continue
    throw new ConfigurationError({
      code: 'reading/bad-budget',
      message: `The budget for ${part} must be a whole number of tokens above 0, not ${tokens} (profile ${name}).`,
      details: { ...budget },
    })
  }
}
