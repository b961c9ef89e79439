/** What clients are told of an error, before a protocol puts it into its form. */
import {
  ChatError,
  ChatTimeoutError,
  DocumentError,
  hideAddresses,
  MemAgentError,
  RateLimitedError,
} from '@memagent/core'
import { RequestError } from './request-error.ts'
import { refusalOf } from './store-refusals.ts'

export interface Failure {
  /** Of HTTP. */
  readonly status: number
  readonly code: string
  /** With what can be done about it. */
  readonly message: string
  /** Without that. */
  readonly statement: string
  readonly hint?: string | undefined
  /** The field that is wrong. */
  readonly param?: string | undefined
  /** When to try again. */
  readonly retryAfterSeconds?: number | undefined
}

/** A failure in the form of a protocol. */
export interface ErrorReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** Of an error that nobody foresaw, clients learn nothing; the log has it. */
export function failureOf(given: unknown): Failure {
  const error = refusalOf(given)
  const known = MemAgentError.isInstance(error) ? error : undefined
  const statement = hideAddresses(known?.message ?? 'The server failed.')
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

/** Options of commands are nothing that clients could set. */
const hintOf = (error: MemAgentError | undefined): string | undefined =>
  error?.hint === undefined || (!RequestError.isInstance(error) && error.hint.includes('--'))
    ? undefined
    : hideAddresses(error.hint)

export const retryAfter = ({ retryAfterSeconds }: Failure): Readonly<Record<string, string>> =>
  retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }

function statusOf(error: MemAgentError | undefined): number {
  if (RequestError.isInstance(error)) return error.status
  if (RateLimitedError.isInstance(error)) return 429
  if (ChatTimeoutError.isInstance(error)) return 504
  // What the text is read with is another server's fault, or its operator's.
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
