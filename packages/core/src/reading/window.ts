/** Checks before the first call that the budget fits the window, and that the model really has that window. */
import type { ChatModel } from '../chat/chat.ts'
import type { ModelProfile, WindowBudget } from '../chat/profile.ts'
import { promptTokens } from '../chat/prompt-tokens.ts'
import { ConfigurationError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { createNeutralizer } from '../workflows/prompts/neutralize.ts'
import { memoriesIn, promptsFor } from '../workflows/prompts/prompts.ts'
import { timesOf } from '../workflows/prompts/template.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { checkProfile } from './check-profile.ts'

export interface BudgetCheck {
  readonly model: Pick<ChatModel, 'name' | 'countPromptTokens'>
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

/** The most tokens of one call, and a budget that fits a window. */
export interface BudgetNeeds {
  readonly needed: number
  readonly wayOut: (window: number) => string
}

/**
 * Renders every conversation of the workflow with this question and empty otherwise. The budget gives the tokens of `{section}`,
 * of the places of memories and of the response; what other places will hold is not known.
 * @throws ConfigurationError with the numbers and the way out
 */
export async function checkBudget(check: BudgetCheck): Promise<BudgetNeeds> {
  const { profile, workflow, tokenizer } = check
  const { budget } = profile
  checkProfile(profile)
  const prompts = promptsFor(workflow, profile.prompts)
  const question = createNeutralizer(prompts.markers)(check.question ?? '')
  const questionTokens = await tokenizer.count(question)
  if (questionTokens > budget.question) {
    throw new ConfigurationError({
      code: 'reading/question-too-long',
      message: `The question has ${questionTokens} tokens; the budget allows ${budget.question}.`,
      hint: 'Shorten the question, or raise its budget within the window (--question-budget; in code: budget.question).',
      details: { questionTokens, budget: budget.question },
    })
  }
  const needs = (await promptParts(check)).map((parts) => needsOf(parts, budget))
  needs.sort((a, b) => b.needed - a.needed)
  // A workflow may hold no conversation at all.
  const { needed, prompt, parts } = needs[0] ?? { needed: 0, prompt: 0, parts: '' }
  const fittingChunk = (window: number) => {
    const chunks = needs.map((one) => {
      const excess = Math.max(0, one.needed - window)
      if (one.sections === 0) return excess === 0 ? budget.chunk : 0
      return budget.chunk - Math.ceil(excess / one.sections)
    })
    return Math.min(...chunks)
  }
  const wayOut = (window: number) => {
    const chunk = fittingChunk(window)
    return chunk > 0 ? `chunks of ${chunk} tokens (--chunk ${chunk})` : 'smaller budgets'
  }
  if (needed > budget.window) {
    throw new ConfigurationError({
      code: 'reading/budget-exceeds-window',
      message: `The budget needs up to ${needed} tokens, more than the window of ${budget.window}: ${parts}, question and instructions ${prompt}.`,
      hint: `Use ${wayOut(budget.window)}, or raise the window if the model has a larger one.`,
      details: { needed, prompt, fittingChunk: fittingChunk(budget.window), ...budget },
    })
  }
  return { needed, wayOut }
}

/** Tokens that may be added where the parts of a prompt meet. */
const joints = 8

/** The largest chunk that fits in the window beside a memory of so many tokens; less than 1 if none does. */
export async function chunksBeside(check: BudgetCheck): Promise<(memory: number) => number> {
  const { budget } = check.profile
  const conversations = await promptParts(check)
  return (memory) =>
    Math.min(
      ...conversations.map((parts) => {
        const { needed, sections } = needsOf(parts, { ...budget, memory, chunk: 0 })
        const room = budget.window - joints - needed
        if (sections === 0) return room < 0 ? 0 : budget.window
        return Math.floor(room / sections)
      }),
    )
}

/** The parts of one conversation's prompt. */
interface PromptParts {
  readonly name: string
  /** Tokens of instructions and question. */
  readonly prompt: number
  /** How often it contains the chunk. */
  readonly sections: number
  readonly memories: number
}

function promptParts({
  model,
  profile,
  workflow,
  tokenizer,
  question = '',
}: BudgetCheck): Promise<PromptParts[]> {
  const prompts = promptsFor(workflow, profile.prompts)
  const shown = createNeutralizer(prompts.markers)(question)
  return Promise.all(
    Object.entries(workflow.prompts.conversations).map(async ([name, places]) => {
      const empty = Object.fromEntries(places.map((place) => [place, place === 'question' ? shown : '']))
      const template = prompts.templates[name]!
      return {
        name,
        prompt: await promptTokens(model, tokenizer, prompts.messages(name, empty)),
        sections: timesOf('section', template),
        memories: memoriesIn(template, workflow.prompts),
      }
    }),
  )
}

/** The tokens that one conversation needs. */
interface PromptNeeds extends Pick<PromptParts, 'prompt' | 'sections'> {
  readonly needed: number
  /** The rest, for the message. */
  readonly parts: string
}

function needsOf({ name, prompt, sections, memories }: PromptParts, budget: WindowBudget): PromptNeeds {
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
