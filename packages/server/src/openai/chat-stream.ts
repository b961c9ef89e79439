/** `/v1/chat/completions` as a stream: the memory as it is rewritten, as reasoning; then the answer. */
import type { ReadingEvent } from '@memagent/core'
import { type Completion, chunkBody, type Delta, type Head, usageBody } from './chat-body.ts'

export interface StreamedReply {
  /** A line of text for `data:`. */
  send(data: unknown): Promise<void>
}

/** Memory updates as they come; each begins with its step, so that a reader can tell them apart. */
export const reasoningOf = (event: ReadingEvent): string | undefined =>
  event.type === 'memory-end' && event.changed
    ? `After chunk ${event.step + 1}:\n${event.memory}\n\n`
    : undefined

export async function sendStart(reply: StreamedReply, head: Head): Promise<void> {
  await reply.send(chunkBody(head, { role: 'assistant', content: '' }))
}

export const sendDelta = (reply: StreamedReply, head: Head, delta: Delta): Promise<void> =>
  reply.send(chunkBody(head, delta))

/** The answer, why it ended, and usage if it was asked for. */
export async function sendEnd(
  reply: StreamedReply,
  head: Head,
  completion: Completion,
  includesUsage: boolean,
): Promise<void> {
  await sendDelta(reply, head, { content: completion.content })
  const { memagent, usage, finishReason } = completion
  await reply.send(chunkBody(head, {}, finishReason, { memagent }))
  if (includesUsage) {
    await reply.send({ ...chunkBody(head, {}), choices: [], usage: usageBody(usage) })
  }
}
