/** An answer in words. */
import type { Answer } from '../workflow.ts'

/**
 * The answer itself, or a sentence that claims no more than is known.
 * @param isPart some of the text was not read
 */
export function answerText(
  { text, outcome, isUnusable }: Pick<Answer, 'text' | 'outcome' | 'isUnusable'>,
  isPart: boolean,
): string {
  if (text !== '') return text
  if (isUnusable) return 'The model gave no answer.'
  if (isPart) return 'No answer was found in the part of the text that was read.'
  return outcome === 'not-found'
    ? 'No answer was found in the text.'
    : 'The notes do not answer this question, but they may be incomplete.'
}
