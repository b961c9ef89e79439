/** `/v1/chat/completions` as a stream: each new memory as reasoning, then the answer. */
import type { ReplyStream, Send } from '../gateway/protocol.ts'
import { chunkBody, finishReasonOf, type Head, usageBody } from './chat-body.ts'
import { errorReply } from './error-body.ts'

/** @param includesUsage sends usage at the end, if the client asked for it */
export function chatStream(head: Head, send: Send, includesUsage: boolean): ReplyStream {
  return {
    start: () => send(chunkBody(head, { role: 'assistant', content: '' })),
    reasoning: (text) => send(chunkBody(head, { reasoning_content: text })),
    async end(completion) {
      const { content, memagent, usage } = completion
      await send(chunkBody(head, { content }))
      await send(chunkBody(head, {}, finishReasonOf(completion), { memagent }))
      if (includesUsage) await send({ ...chunkBody(head, {}), choices: [], usage: usageBody(usage) })
      await send('[DONE]')
    },
    fail: (error) => send(errorReply(error).body),
  }
}
