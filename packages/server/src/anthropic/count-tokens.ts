/** `POST /v1/messages/count_tokens`: how long a conversation is, as the model counts it; not what reading it costs. */
import { countConversation } from '@memagent/core'
import type { Context } from 'hono'
import { jsonOf } from '../gateway/parse-body.ts'
import { type GatewayOptions, opened } from '../gateway/respond.ts'
import { parseCountRequest } from './messages-request.ts'

/** @throws RequestError 400, 404; DocumentError of a file that cannot be read */
export async function countTokens(c: Context, gateway: GatewayOptions): Promise<Response> {
  const request = parseCountRequest(await jsonOf(c.req.raw))
  const { served, turns, signal } = await opened(c, request, gateway)
  return c.json({ input_tokens: await countConversation(turns, served, signal) })
}
