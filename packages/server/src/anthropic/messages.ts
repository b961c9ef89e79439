/** `POST /v1/messages`, Anthropic's protocol. */
import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { RequestError } from '../errors.ts'
import type { Protocol } from '../gateway/protocol.ts'
import {
  type MessageHead,
  messageBody,
  stopReasonOf,
  textBlock,
  thinkingBlock,
  usageBody,
} from './messages-body.ts'
import { type MessagesRequest, parseMessagesRequest } from './messages-request.ts'
import { messagesStream } from './messages-stream.ts'

/** The newer refuses some of what the older takes; here, both take it. */
const versions = ['2023-06-01', '2026-10-21']

/** A client that names no version gets the same. @throws RequestError 400 for others */
export const versionCheck: MiddlewareHandler = async (c, next) => {
  const asked = c.req.header('anthropic-version')
  if (asked !== undefined && !versions.includes(asked)) {
    throw new RequestError({
      status: 400,
      code: 'server/protocol-version',
      message: `anthropic-version: takes ${versions.join(' or ')}.`,
      param: 'anthropic-version',
    })
  }
  await next()
}

export const messages: Protocol<MessagesRequest> = {
  parse: parseMessagesRequest,
  replyTo({ model, showsThinking }) {
    const head: MessageHead = { id: `msg_${randomUUID()}`, model }
    return {
      whole(completion) {
        const { reasoning, content, usage, memagent } = completion
        const thinking = showsThinking && reasoning ? [thinkingBlock(reasoning)] : []
        return messageBody(head, [...thinking, textBlock(content)], {
          stop_reason: stopReasonOf(completion),
          usage: usageBody(usage),
          memagent,
        })
      },
      stream: (send) => messagesStream(head, showsThinking, send),
    }
  },
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
}
