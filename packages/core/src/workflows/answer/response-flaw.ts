/** Responses that are rejected unparsed: refusals, empty responses, and those cut by their limit. */
import type { ChatResult } from '../../chat/chat.ts'
import { readsAsRefusal } from './refusal.ts'

export interface ResponseFlaw {
  readonly kind: 'refused' | 'empty' | 'cut'
  /** Continues "the response". */
  readonly problem: string
}

/** For responses in a fixed form, where a part means nothing. */
export function flawOf(
  { text, reasoning, finishReason, usage }: ChatResult,
  maxTokens: number,
): ResponseFlaw | undefined {
  if (finishReason.unified === 'refusal' || readsAsRefusal(text))
    return { kind: 'refused', problem: 'is a refusal' }
  if (text.trim() === '')
    return { kind: 'empty', problem: reasoning === undefined ? 'is empty' : 'ended inside its reasoning' }
  // Some servers give no finish reason, or a different one.
  const isFull = finishReason.unified !== 'stop' && (usage?.completionTokens ?? 0) >= maxTokens
  if (finishReason.unified === 'length' || isFull) return { kind: 'cut', problem: 'reached its token limit' }
  return undefined
}
