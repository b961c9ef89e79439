/** Errors in the form of Anthropic's protocol. */
import { z } from 'zod'
import { type ErrorReply, type Failure, failureOf, retryAfter } from '../failure.ts'

export const errorSchema = z
  .object({
    type: z.literal('error'),
    error: z.object({ type: z.string(), message: z.string() }),
    request_id: z.null(),
  })
  .meta({ id: 'AnthropicError' })

export function errorReply(error: unknown): ErrorReply {
  const failure = failureOf(error)
  const status = overloads.has(failure.code) ? 529 : failure.status
  const body: z.infer<typeof errorSchema> = {
    type: 'error',
    error: { type: typeOf(status), message: messageOf(failure) },
    request_id: null,
  }
  return { status, headers: retryAfter(failure), body }
}

/** The server has no room, for anyone. */
const overloads: ReadonlySet<string> = new Set(['server/busy', 'server/stopping'])

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const typeOf = (status: number): string =>
  types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

/** The format has no field for the wrong parameter, so the message names it. */
const messageOf = ({ message, param }: Failure): string =>
  param === undefined || message.includes(param) ? message : `${param}: ${message}`
