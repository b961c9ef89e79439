/** `POST /v1/messages/count_tokens`: how long a conversation is, as the model counts it; not what reading it costs. */
import { countConversation, createConcurrencyLimit } from '@memagent/core'
import type { Context } from 'hono'
import { z } from 'zod'
import { type GatewayOptions, opened } from '../gateway/respond.ts'
import { type countBody, countRequest } from './messages-request.ts'

export const countReply = z.object({ input_tokens: z.int() })

/** Each count goes through a whole text. */
const countsAtOnce = 2

/** @returns a handler, which throws RequestError 404, or DocumentError for a file that cannot be read */
export function createTokenCounts(gateway: GatewayOptions) {
  const inTurn = createConcurrencyLimit(countsAtOnce)
  return async (c: Context, body: z.infer<typeof countBody>): Promise<Response> => {
    const { served, turns, signal } = await opened(c, countRequest(body), gateway)
    const count = () => countConversation(turns, served, signal)
    return c.json({ input_tokens: await inTurn(count, signal) })
  }
}
