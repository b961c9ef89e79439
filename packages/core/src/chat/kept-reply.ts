/** The part of a reply that journals and the cache keep, and its shape as JSON. */
import { aNumber, anAmount, aText, isObject, listOf, objectOf, oneOf, optional } from '../json-shape.ts'
import type { ChatResult, FinishReason, TokenLogprob, TokenUsage } from './chat.ts'

export type KeptReply = Pick<ChatResult, 'text' | 'reasoning' | 'usage' | 'finishReason' | 'logprobs'>

export const tokenUsageFields = {
  promptTokens: anAmount,
  completionTokens: anAmount,
  cachedPromptTokens: optional(anAmount),
}

export const tokenUsage = objectOf<TokenUsage>(tokenUsageFields)

export const finishReason = objectOf<FinishReason>({
  unified: oneOf<FinishReason['unified']>({ stop: true, length: true, refusal: true, other: true }),
  raw: optional(aText),
})

const tokenLogprobs = listOf(
  objectOf<TokenLogprob>({ token: aText, id: optional(aNumber), logprob: aNumber }),
)

export const keptReplyFields = {
  text: aText,
  reasoning: optional(aText),
  usage: optional(tokenUsage),
  finishReason,
  logprobs: optional(tokenLogprobs),
}

export const keptReply = objectOf<KeptReply>(keptReplyFields)

export function keptPart({ text, reasoning, usage, finishReason, logprobs }: ChatResult): KeptReply {
  const kept = keptLogprobs(logprobs)
  return { text, reasoning, usage, finishReason, ...(kept && { logprobs: kept }) }
}

/**
 * Log-probabilities as JSON can hold them: negative infinity becomes the least number.
 * @param given by a model, which may be anybody's
 * @returns undefined if one of them is unknown
 */
export function keptLogprobs(given: unknown): readonly TokenLogprob[] | undefined {
  if (!Array.isArray(given)) return undefined
  const logprobs = given.map((one) => {
    const { token, id, logprob } = isObject(one) ? one : {}
    const least = logprob === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : logprob
    return { token, ...(typeof id === 'number' && { id }), logprob: least }
  })
  return tokenLogprobs(logprobs, '') === undefined ? (logprobs as TokenLogprob[]) : undefined
}
