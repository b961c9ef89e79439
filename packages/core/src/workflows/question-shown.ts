import { ConfigurationError } from '../errors.ts'
import type { ReadingContext } from './workflow.ts'

/** A question is never cut. @throws ConfigurationError if it is over its budget */
export async function questionForPrompt(question: string, context: ReadingContext): Promise<string> {
  const text = context.neutralize(question)
  const tokens = await context.countTokens(text)
  if (tokens <= context.budget.question) return text
  throw new ConfigurationError({
    code: 'workflow/question-too-long',
    message: `The question has ${tokens} tokens; the budget allows ${context.budget.question}.`,
    hint: 'Shorten the question, or raise its budget within the window (--question-budget; in code: budget.question).',
    details: { tokens, budget: context.budget.question },
  })
}
