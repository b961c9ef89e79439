/** `POST /v1/messages`, Anthropic's protocol. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Protocol } from '../gateway/protocol.ts'
import {
  type MessageHead,
  messageBody,
  messageReply,
  stopReasonOf,
  textBlock,
  thinkingBlock,
  usageBody,
} from './messages-body.ts'
import { type MessagesRequest, messagesBody, messagesRequest } from './messages-request.ts'
import { messagesStream } from './messages-stream.ts'

/** The newer version refuses some of what the older one accepts; here, both accept it, as do requests without a version. */
export const messagesHeaders = z.object({
  'anthropic-version': z
    .enum(['2023-06-01', '2026-10-21'], { error: 'takes 2023-06-01 or 2026-10-21.' })
    .optional(),
})

export const messages: Protocol<typeof messagesBody, MessagesRequest> = {
  body: messagesBody,
  requestOf: messagesRequest,
  reply: messageReply,
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
