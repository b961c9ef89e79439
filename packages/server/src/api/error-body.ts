/** Errors in the form of the run API. */
import { DocumentError, hideAddresses, MemAgentError } from '@memagent/core'
import { type ErrorReply, failureOf, retryAfter } from '../failure.ts'

export function errorReply(error: unknown): ErrorReply {
  const failure = failureOf(error)
  const known = MemAgentError.isInstance(error) ? error : undefined
  const message = known ? hideAddresses(known.message) : failure.message
  const hint = known?.hint === undefined ? undefined : hideAddresses(known.hint)
  return {
    // A file that cannot be read is not a wrong request.
    status: DocumentError.isInstance(error) ? 422 : failure.status,
    headers: retryAfter(failure),
    body: {
      error: {
        code: failure.code,
        message,
        ...(hint !== undefined && { hint }),
        ...(failure.param !== undefined && { param: failure.param }),
      },
    },
  }
}
