/** Responses that are rejected unparsed: refusals, calls of tools, empty responses, and those cut by their limit. */
import type { ChatResult, FinishReason } from '../../chat/chat.ts'
import type { ReadingContext } from '../workflow.ts'
import { readsAsRefusal } from './refusal.ts'

export interface ResponseFlaw {
  readonly kind: 'refused' | 'empty' | 'cut'
  /** Continues "the response". */
  readonly problem: string
}

/**
 * For responses of which a part means nothing. Where a server does not say why a response ended, or in words that nobody knows, a
 * warning says so.
 */
export function flawOf(
  { text, reasoning, finishReason, usage }: ChatResult,
  maxTokens: number,
  step: number,
  { emit }: Pick<ReadingContext, 'emit'>,
): ResponseFlaw | undefined {
  if (finishReason.unified === 'refusal' || readsAsRefusal(text))
    return { kind: 'refused', problem: 'is a refusal' }
  if (asksForTool(finishReason)) return { kind: 'refused', problem: 'asks for a tool' }
  if (text.trim() === '')
    return { kind: 'empty', problem: reasoning === undefined ? 'is empty' : 'ended inside its reasoning' }
  // Some servers give no finish reason, or a different one.
  const isFull = finishReason.unified !== 'stop' && (usage?.completionTokens ?? 0) >= maxTokens
  if (finishReason.unified === 'length' || isFull) return { kind: 'cut', problem: 'reached its token limit' }
  if (finishReason.unified === 'other') {
    const message = `${unknownEnd(finishReason)}: it was used, but may be cut off.`
    emit({ type: 'warning', step, code: 'memory-end-unknown', message })
  }
  return undefined
}

/** Whatever it wrote before: it was about to go on. */
export const asksForTool = ({ raw }: FinishReason): boolean => raw === 'tool_calls' || raw === 'function_call'

/** The start of a sentence. */
export const unknownEnd = ({ raw }: FinishReason): string =>
  raw === undefined
    ? 'The server did not say why the response ended'
    : `The server gave an unknown reason for the end of the response (${raw.slice(0, 50)})`
