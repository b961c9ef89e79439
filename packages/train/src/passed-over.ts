/** Documents that training passes over. */
import { MemAgentError } from '@memagent/core'

/** What is wrong with one document or its question; the next of the same task may do. */
const ofOneDocument = [
  'task/document-too-short',
  'reading/question-too-long',
  'reading/budget-exceeds-window',
  'workflow/question-too-long',
]

/** Why one document cannot be read; undefined for an error that says nothing of a document. */
export const reasonToPassOver = (error: unknown): string | undefined =>
  MemAgentError.isInstance(error) && ofOneDocument.includes(error.code) ? error.message : undefined
