/** `/v1/messages` as a stream: a thinking block, with each memory as it is written, then the answer. */
import type { ReplyStream, Send } from '../gateway/protocol.ts'
import { errorReply } from './error-body.ts'
import {
  type MessageHead,
  messageBody,
  stopReasonOf,
  textBlock,
  thinkingBlock,
  usageBody,
} from './messages-body.ts'

export function messagesStream(head: MessageHead, showsThinking: boolean, send: Send): ReplyStream {
  let isThinking = false
  const event = (type: string, data: object = {}) => send({ type, ...data }, type)
  return {
    async start() {
      await event('message_start', { message: messageBody(head, [], {}) })
      await event('ping')
    },
    async reasoning(thinking) {
      if (!showsThinking) return
      if (!isThinking) await event('content_block_start', { index: 0, content_block: thinkingBlock('') })
      isThinking = true
      await event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking } })
    },
    async end(completion) {
      if (isThinking) await event('content_block_stop', { index: 0 })
      const index = isThinking ? 1 : 0
      const { content: text, memagent, usage } = completion
      await event('content_block_start', { index, content_block: textBlock('') })
      await event('content_block_delta', { index, delta: { type: 'text_delta', text } })
      await event('content_block_stop', { index })
      const delta = { stop_reason: stopReasonOf(completion), stop_sequence: null }
      await event('message_delta', { delta, usage: usageBody(usage), memagent })
      await event('message_stop')
    },
    fail: (error) => send(errorReply(error).body, 'error'),
  }
}
