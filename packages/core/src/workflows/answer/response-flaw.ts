/** Why a response is not even looked into: it is a refusal, empty, or cut by its limit. */
import type { ChatResult } from '../../chat/chat.ts'
import { readsAsRefusal } from './refusal.ts'

export interface ResponseFlaw {
  readonly kind: 'refused' | 'empty' | 'cut'
  /** Goes on after "the response". */
  readonly problem: string
}

/** For responses with a form, of which a part means nothing. */
export function flawOf(
  { text, reasoning, finishReason, usage }: ChatResult,
  maxTokens: number,
): ResponseFlaw | undefined {
  if (finishReason.unified === 'refusal' || readsAsRefusal(text))
    return { kind: 'refused', problem: 'is a refusal' }
  if (text.trim() === '')
    return { kind: 'empty', problem: reasoning === undefined ? 'is empty' : 'ended inside its reasoning' }
  // Some servers give no reason, or another one.
  const isFull = finishReason.unified !== 'stop' && (usage?.completionTokens ?? 0) >= maxTokens
  if (finishReason.unified === 'length' || isFull) return { kind: 'cut', problem: 'reached its token limit' }
  return undefined
}
