/** `POST /v1/responses`. */
import { randomUUID } from 'node:crypto'
import type { Completion } from '../gateway/completion.ts'
import type { Protocol } from '../gateway/protocol.ts'
import {
  messageItem,
  type ResponseHead,
  reasoningItem,
  responseBody,
  responseReply,
  statusOf,
  textPart,
} from './responses-body.ts'
import { type ResponsesRequest, responsesBody, responsesRequest } from './responses-request.ts'
import { type ItemIds, responsesStream } from './responses-stream.ts'

export const responses: Protocol<typeof responsesBody, ResponsesRequest> = {
  body: responsesBody,
  requestOf: responsesRequest,
  reply: responseReply,
  replyTo({ model, repeated }, created) {
    const head: ResponseHead = { id: `resp_${randomUUID()}`, created, model, repeated }
    const ids = { reasoning: `rs_${randomUUID()}`, message: `msg_${randomUUID()}` }
    return {
      whole: (completion) => whole(head, ids, completion),
      stream: (send) => responsesStream(head, ids, send),
    }
  },
  keepAlive: ': keep-alive\n\n',
}

function whole(head: ResponseHead, ids: ItemIds, completion: Completion): object {
  const status = statusOf(completion)
  const { reasoning, content } = completion
  const message = messageItem(ids.message, [textPart(content)], status)
  const output = reasoning ? [reasoningItem(ids.reasoning, [reasoning]), message] : [message]
  return responseBody(head, { status, output, completion })
}
