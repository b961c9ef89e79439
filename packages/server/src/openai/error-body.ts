/** Errors in the form of OpenAI's protocol. */
import {
  ChatError,
  ChatTimeoutError,
  DocumentError,
  hideAddresses,
  MemAgentError,
  RateLimitedError,
} from '@memagent/core'
import { RequestError } from '../errors.ts'

export interface ErrorReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly error: {
      readonly message: string
      readonly type: string
      readonly param: string | null
      readonly code: string
    }
  }
}

/** Of an error that nobody foresaw, clients learn nothing; the log has it. */
export function errorReply(error: unknown): ErrorReply {
  const known = MemAgentError.isInstance(error) ? error : undefined
  const status = statusOf(known)
  const retryAfter = retryAfterOf(known)
  const message = known ? [known.message, known.hint].filter(Boolean).join('\n') : 'The server failed.'
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    body: {
      error: {
        message: hideAddresses(message),
        type: typeOf(status),
        param: (RequestError.isInstance(known) && known.param) || null,
        code: known?.code ?? 'server/unexpected',
      },
    },
  }
}

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

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

const typeOf = (status: number): string =>
  types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
