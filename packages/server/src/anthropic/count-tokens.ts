/** `POST /v1/messages/count_tokens`: how long a conversation is, as the model counts it; not what reading it costs. */
import { countConversation } from '@memagent/core'
import type { Context } from 'hono'
import { z } from 'zod'
import { type GatewayOptions, opened } from '../gateway/respond.ts'
import { type countBody, countRequest } from './messages-request.ts'

export const countReply = z.object({ input_tokens: z.int() })

/** @throws RequestError 404; DocumentError of a file that cannot be read */
export async function countTokens(
  c: Context,
  body: z.infer<typeof countBody>,
  gateway: GatewayOptions,
): Promise<Response> {
  const { served, turns, signal } = await opened(c, countRequest(body), gateway)
  return c.json({ input_tokens: await countConversation(turns, served, signal) })
}
