/** What clients are told about an error, before a protocol formats it. */
import {
  ChatError,
  ChatTimeoutError,
  DocumentError,
  LimitError,
  MemAgentError,
  NoAnswerError,
  RateLimitedError,
  withoutKeys,
} from '@memagent/core'
import { RequestError } from './request-error.ts'
import { refusalOf } from './store-refusals.ts'

export interface Failure {
  /** HTTP status. */
  readonly status: number
  readonly code: string
  /** Includes the hint. */
  readonly message: string
  /** Excludes the hint. */
  readonly statement: string
  readonly hint?: string | undefined
  /** The wrong field. */
  readonly param?: string | undefined
  /** When to try again. */
  readonly retryAfterSeconds?: number | undefined
}

/** A failure, formatted for a protocol. */
export interface ErrorReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** Clients learn nothing about an unexpected error; the log has it. */
export function failureOf(given: unknown): Failure {
  const error = refusalOf(given)
  const known = MemAgentError.isInstance(error) ? error : undefined
  const statement = withoutKeys(known?.message ?? 'The server failed.')
  const hint = hintOf(known)
  return {
    status: statusOf(known),
    code: known?.code ?? 'server/unexpected',
    message: [statement, hint].filter((line) => line !== undefined).join('\n'),
    statement,
    hint,
    param: RequestError.isInstance(known) ? known.param : undefined,
    retryAfterSeconds: retryAfterOf(known),
  }
}

/** Hints about command-line options and keys are for the operator, not for clients. */
const hintOf = (error: MemAgentError | undefined): string | undefined =>
  error?.hint === undefined || (!RequestError.isInstance(error) && /--|_API_KEY/.test(error.hint))
    ? undefined
    : withoutKeys(error.hint)

export const retryAfter = ({ retryAfterSeconds }: Failure): Readonly<Record<string, string>> =>
  retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }

function statusOf(error: MemAgentError | undefined): number {
  if (RequestError.isInstance(error)) return error.status
  // The limit is the client's own: trying again, as clients do after a 5xx, would end the same way.
  if (NoAnswerError.isInstance(error) && error.details.mostAnswerTokens !== undefined) return 400
  // A limit of the operator's: trying again does not help, either.
  if (LimitError.isInstance(error)) return 403
  if (RateLimitedError.isInstance(error)) return 429
  if (ChatTimeoutError.isInstance(error)) return 504
  // The model is the responsibility of another server, or its operator.
  if (ChatError.isInstance(error)) return 502
  if (DocumentError.isInstance(error)) return 400
  return 500
}

function retryAfterOf(error: MemAgentError | undefined): number | undefined {
  if (RequestError.isInstance(error)) return error.retryAfterSeconds
  const { retryAfterMs } = (error?.details ?? {}) as { readonly retryAfterMs?: number }
  if (RateLimitedError.isInstance(error)) return Math.max(1, Math.ceil((retryAfterMs ?? 1000) / 1000))
  return undefined
}
