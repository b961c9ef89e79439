/** `/v1/responses` as a stream: a summary part of the reasoning for each memory, then the answer. */
import { failureOf } from '../failure.ts'
import type { Completion } from '../gateway/completion.ts'
import type { ReplyStream, Send } from '../gateway/protocol.ts'
import { errorBody } from '../openai/error-body.ts'
import {
  messageItem,
  type Progress,
  type ResponseHead,
  reasoningItem,
  responseBody,
  statusOf,
  summaryPart,
  textPart,
} from './responses-body.ts'

export interface ItemIds {
  readonly reasoning: string
  readonly message: string
}

export function responsesStream(head: ResponseHead, ids: ItemIds, send: Send): ReplyStream {
  const summary: string[] = []
  let number = 0
  const event = (type: string, data: object) => send({ type, ...data, sequence_number: number++ }, type)
  const snapshot = (type: string, progress: Progress) =>
    event(type, { response: responseBody(head, progress) })

  return {
    async start() {
      await snapshot('response.created', { status: 'in_progress' })
      await snapshot('response.in_progress', { status: 'in_progress' })
    },
    async reasoning(text) {
      if (summary.length === 0) {
        await event('response.output_item.added', { output_index: 0, item: reasoningItem(ids.reasoning, []) })
      }
      const place = { item_id: ids.reasoning, output_index: 0, summary_index: summary.length }
      summary.push(text)
      await event('response.reasoning_summary_part.added', { ...place, part: summaryPart('') })
      await event('response.reasoning_summary_text.delta', { ...place, delta: text })
      await event('response.reasoning_summary_text.done', { ...place, text })
      await event('response.reasoning_summary_part.done', { ...place, part: summaryPart(text) })
    },
    async end(completion) {
      const output: object[] = summary.length > 0 ? [reasoningItem(ids.reasoning, summary)] : []
      for (const item of output) await event('response.output_item.done', { output_index: 0, item })
      output.push(await sendMessage(completion, output.length))
      const status = statusOf(completion)
      await snapshot(`response.${status}`, { status, output, completion })
    },
    async fail(error) {
      const failure = failureOf(error)
      const { message, param } = errorBody(failure)
      await event('error', { code: failure.code, message, param })
      const code = failure.status === 429 ? 'rate_limit_exceeded' : 'server_error'
      await snapshot('response.failed', { status: 'failed', error: { code, message } })
    },
  }

  async function sendMessage(completion: Completion, index: number) {
    const { content: text } = completion
    const place = { item_id: ids.message, output_index: index, content_index: 0 }
    const part = textPart(text)
    const item = messageItem(ids.message, [part], statusOf(completion))
    const started = messageItem(ids.message, [], 'in_progress')
    await event('response.output_item.added', { output_index: index, item: started })
    await event('response.content_part.added', { ...place, part: textPart('') })
    await event('response.output_text.delta', { ...place, delta: text, logprobs: [] })
    await event('response.output_text.done', { ...place, text, logprobs: [] })
    await event('response.content_part.done', { ...place, part })
    await event('response.output_item.done', { output_index: index, item })
    return item
  }
}
