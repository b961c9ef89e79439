/** `POST /v1/chat/completions`. */
import { randomUUID } from 'node:crypto'
import type { Protocol } from '../gateway/protocol.ts'
import { chatBody, type Head } from './chat-body.ts'
import { type ChatRequest, parseChatRequest } from './chat-request.ts'
import { chatStream } from './chat-stream.ts'

export const chatCompletions: Protocol<ChatRequest> = {
  parse: parseChatRequest,
  replyTo({ model, includesUsage }, created) {
    const head: Head = { id: `chatcmpl-${randomUUID()}`, created, model }
    return {
      whole: (completion) => chatBody(head, completion),
      stream: (send) => chatStream(head, send, includesUsage),
    }
  },
  keepAlive: ': keep-alive\n\n',
}
