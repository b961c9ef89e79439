/** The part of a reply that journals and the cache keep, and its shape as JSON. */
import { aNumber, anAmount, aText, listOf, objectOf, oneOf, optional } from '../json-shape.ts'
import type { ChatResult, FinishReason, TokenLogprob, TokenUsage } from './chat.ts'

export type KeptReply = Pick<ChatResult, 'text' | 'reasoning' | 'usage' | 'finishReason' | 'logprobs'>

export const keptPart = ({ text, reasoning, usage, finishReason, logprobs }: ChatResult): KeptReply => ({
  ...{ text, reasoning, usage, finishReason },
  ...(logprobs && { logprobs }),
})

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

export const keptReplyFields = {
  text: aText,
  reasoning: optional(aText),
  usage: optional(tokenUsage),
  finishReason,
  logprobs: optional(
    listOf(objectOf<TokenLogprob>({ token: aText, id: optional(aNumber), logprob: aNumber })),
  ),
}

export const keptReply = objectOf<KeptReply>(keptReplyFields)
