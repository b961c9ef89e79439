/** An answer as a stream of the SDK: memories as they are rewritten, then text and sources, then how it ended. */
import type { LanguageModelV3StreamPart, SharedV3Warning } from '@ai-sdk/provider'
import { type AnswerPart, usageOf } from './answer-call.ts'

export interface StreamHead {
  readonly warnings: SharedV3Warning[]
  readonly modelId: string
  readonly signal: AbortSignal
}

/** A failure ends the stream as one of its parts; an abort throws the signal's reason. */
export async function* streamParts(
  parts: AsyncIterable<AnswerPart>,
  { warnings, modelId, signal }: StreamHead,
): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings }
  yield { type: 'response-metadata', modelId }
  let thoughts = 0
  try {
    for await (const part of parts) {
      if (part.type === 'reasoning') yield* reasoningParts(part, `reasoning-${++thoughts}`)
      else yield* endParts(part)
    }
  } catch (error) {
    signal.throwIfAborted()
    yield { type: 'error', error }
    yield { type: 'finish', finishReason: { unified: 'error', raw: undefined }, usage: usageOf(undefined) }
  }
}

function* reasoningParts(
  { text, step }: Extract<AnswerPart, { type: 'reasoning' }>,
  id: string,
): Generator<LanguageModelV3StreamPart> {
  // The chunk after which it was written, from 1.
  const place = step !== undefined && { providerMetadata: { memagent: { chunk: step + 1 } } }
  yield { type: 'reasoning-start', id, ...place }
  yield { type: 'reasoning-delta', id, delta: text }
  yield { type: 'reasoning-end', id }
}

function* endParts({
  text,
  sources,
  finishReason,
  usage,
  providerMetadata,
}: Extract<AnswerPart, { type: 'end' }>): Generator<LanguageModelV3StreamPart> {
  const id = 'answer'
  yield { type: 'text-start', id }
  yield { type: 'text-delta', id, delta: text }
  yield { type: 'text-end', id }
  yield* sources
  yield { type: 'finish', finishReason, usage, providerMetadata }
}

/** @param leave called when the reader cancels the stream */
export const streamOf = <Part>(
  parts: AsyncGenerator<Part>,
  leave: (reason: unknown) => void,
): ReadableStream<Part> =>
  new ReadableStream<Part>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel(reason) {
      leave(reason ?? new DOMException('The stream was cancelled.', 'AbortError'))
    },
  })
