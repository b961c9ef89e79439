/** The answer in a final response. */
import type { Answer } from './workflow.ts'

/** What verifiers score: undefined for "not in the text", which a response that says nothing at all is not. */
export const statedAnswer = ({ text, isUnusable }: Answer): string | undefined =>
  text === '' && !isUnusable ? undefined : text
