/** Errors in the form of OpenAI's protocol. */
import { z } from 'zod'
import { type ErrorReply, type Failure, failureOf, retryAfter } from '../failure.ts'

export function errorReply(error: unknown): ErrorReply {
  const failure = failureOf(error)
  return { status: failure.status, headers: retryAfter(failure), body: { error: errorBody(failure) } }
}

const fields = z.object({
  message: z.string(),
  type: z.string(),
  param: z.string().nullable().describe('The field that is wrong'),
  code: z.string(),
})

export const errorSchema = z.object({ error: fields }).meta({ id: 'OpenAiError' })

export const errorBody = ({ status, code, message, param }: Failure): z.infer<typeof fields> => ({
  message,
  type: types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'),
  param: param ?? null,
  code,
})

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}
