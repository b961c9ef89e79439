/** Checks that each of several questions can be asked, before anything is spent. */
import { isShown } from '../documents/require-text.ts'
import { ConfigurationError } from '../errors.ts'
import { type BudgetCheck, checkBudget } from '../reading/window.ts'
import type { Question } from './questions.ts'

/** @throws ConfigurationError if there is none, or naming the question that is empty or too long */
export async function checkQuestions(
  questions: readonly Question[],
  check: Omit<BudgetCheck, 'question'>,
): Promise<void> {
  if (questions.length === 0) {
    throw new ConfigurationError({ code: 'reading/no-question', message: 'There is no question.' })
  }
  for (const [i, { text, place }] of questions.entries()) {
    try {
      if (typeof text !== 'string' || !isShown(text)) {
        const message = typeof text === 'string' ? 'The question is empty.' : 'A question is { text }.'
        throw new ConfigurationError({ code: 'reading/no-question', message })
      }
      await checkBudget({ ...check, question: text })
    } catch (error) {
      if (!ConfigurationError.isInstance(error)) throw error
      const which = `Question ${i + 1}${place === undefined ? '' : ` (${place})`}`
      const { code, message, hint, details } = error
      throw new ConfigurationError({
        code,
        message: `${which}: ${message}`,
        hint,
        details: { ...details, question: i },
        cause: error,
      })
    }
  }
}
