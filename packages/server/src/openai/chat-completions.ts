/** `POST /v1/chat/completions`. */
import { randomUUID } from 'node:crypto'
import type { Protocol } from '../gateway/protocol.ts'
import { chatReply, type Head, replyBody } from './chat-body.ts'
import { type ChatRequest, chatBody, chatRequest } from './chat-request.ts'
import { chatStream } from './chat-stream.ts'

export const chatCompletions: Protocol<typeof chatBody, ChatRequest> = {
  body: chatBody,
  requestOf: chatRequest,
  reply: chatReply,
  replyTo({ model, includesUsage }, created) {
    const head: Head = { id: `chatcmpl-${randomUUID()}`, created, model }
    return {
      whole: (completion) => replyBody(head, completion),
      stream: (send) => chatStream(head, send, includesUsage),
    }
  },
  keepAlive: ': keep-alive\n\n',
}
