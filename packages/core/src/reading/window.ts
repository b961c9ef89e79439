/** Checks before the first call that the budget fits the window, and that the model really has that window. */
import type { ChatModel } from '../chat/chat.ts'
import type { ModelProfile, WindowBudget } from '../chat/profile.ts'
import { promptTokens } from '../chat/prompt-tokens.ts'
import { ConfigurationError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { createNeutralizer } from '../workflows/neutralize.ts'
import { promptsFor } from '../workflows/prompts.ts'
import { timesOf } from '../workflows/template.ts'
import type { Workflow } from '../workflows/workflow.ts'

export interface BudgetCheck {
  readonly model: Pick<ChatModel, 'countPromptTokens'>
  readonly profile: ModelProfile
  readonly workflow: Pick<Workflow, 'name' | 'prompts'>
  readonly tokenizer: Tokenizer
  /** @default none: general notes */
  readonly question?: string | undefined
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
 * Renders every conversation of the workflow with this question and otherwise empty; the budget gives what `{section}` and
 * `{memory}` may hold and what the response may add. Of other places nobody knows.
 * @throws ConfigurationError with the numbers and the way out
 */
export async function checkBudget(check: BudgetCheck): Promise<BudgetNeeds> {
  const { model, profile, workflow, tokenizer } = check
  const { budget } = profile
  const prompts = promptsFor(workflow, profile.prompts)
  checkNumbers(profile)
  const question = createNeutralizer(prompts.markers)(check.question ?? '')
  const questionTokens = await tokenizer.count(question)
  if (questionTokens > budget.question) {
    throw new ConfigurationError({
      code: 'reading/question-too-long',
      message: `The question has ${questionTokens} tokens; the budget allows ${budget.question}.`,
      hint: 'Shorten the question, or raise the question budget within the window.',
      details: { questionTokens, budget: budget.question },
    })
  }
  const needs: PromptNeeds[] = []
  for (const [name, places] of Object.entries(workflow.prompts.conversations)) {
    const empty = Object.fromEntries(places.map((place) => [place, place === 'question' ? question : '']))
    const prompt = await promptTokens(model, tokenizer, prompts.messages(name, empty))
    needs.push(needsOf(name, prompts.templates[name]!, prompt, budget))
  }
  needs.sort((a, b) => b.needed - a.needed)
  // A workflow may ask nothing at all.
  const { needed, prompt, parts } = needs[0] ?? { needed: 0, prompt: 0, parts: '' }
  const wayOut = (window: number) => {
    const chunks = needs.map((one) => {
      const excess = Math.max(0, one.needed - window)
      if (one.sections === 0) return excess === 0 ? budget.chunk : 0
      return budget.chunk - Math.ceil(excess / one.sections)
    })
    const chunk = Math.min(...chunks)
    return chunk > 0 ? `chunks of ${chunk} tokens (--chunk ${chunk})` : 'smaller budgets'
  }
  if (needed > budget.window) {
    throw new ConfigurationError({
      code: 'reading/budget-exceeds-window',
      message: `The budget needs up to ${needed} tokens, more than the window of ${budget.window}: ${parts}, question and instructions ${prompt}.`,
      hint: `Use ${wayOut(budget.window)}, or raise the window if the model has a larger one.`,
      details: { needed, prompt, ...budget },
    })
  }
  return { needed, wayOut }
}

/** The parts of one conversation, in tokens. */
interface PromptNeeds {
  readonly needed: number
  /** Instructions and question. */
  readonly prompt: number
  /** How often the chunk stands in it. */
  readonly sections: number
  /** The rest, for the message. */
  readonly parts: string
}

function needsOf(name: string, template: string, prompt: number, budget: WindowBudget): PromptNeeds {
  const [sections, memories] = [timesOf('section', template), timesOf('memory', template)]
  const isAnswer = name === 'answer'
  const written = isAnswer ? budget.output : budget.memory
  const times = (count: number) => (count > 1 ? `${count} times ` : '')
  const parts = [
    sections > 0 ? `${times(sections)}chunk ${budget.chunk}` : '',
    memories > 0 ? `${times(memories)}memory ${budget.memory}${isAnswer ? '' : ' read'}` : '',
    isAnswer ? `answer ${written}` : `${written} written`,
  ]
  return {
    needed: prompt + sections * budget.chunk + memories * budget.memory + written,
    prompt,
    sections,
    parts: parts.filter((part) => part !== '').join(', '),
  }
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
