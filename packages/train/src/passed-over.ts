/** Decides which documents training passes over. */
import { MemAgentError } from '@memagent/core'

/** Errors about one document or its question; the task's next one may be fine. */
const ofOneDocument = [
  'task/document-too-short',
  'reading/question-too-long',
  'reading/budget-exceeds-window',
  'workflow/question-too-long',
]

/** Why a document cannot be read; undefined for an error that is not about one document. */
export const reasonToPassOver = (error: unknown): string | undefined =>
  MemAgentError.isInstance(error) && ofOneDocument.includes(error.code) ? error.message : undefined
