/** Errors in the form of the run API. */
import { DocumentError } from '@memagent/core'
import { type ErrorReply, failureOf, retryAfter } from '../failure.ts'

export function errorReply(error: unknown): ErrorReply {
  const failure = failureOf(error)
  const { status, code, statement: message, hint, param } = failure
  return {
    // A file that cannot be read does not make the request wrong.
    status: DocumentError.isInstance(error) ? 422 : status,
    headers: retryAfter(failure),
    body: {
      error: { code, message, ...(hint !== undefined && { hint }), ...(param !== undefined && { param }) },
    },
  }
}
