/** What a model gives: one of one's own may give anything, and a cut response that is not known as one would pass for whole. */
import { ChatError } from '../errors.ts'
import { anAmount, aText, isObject, oneOf } from '../json-shape.ts'
import type { ChatResult, FinishReason } from './chat.ts'

const reason = oneOf<FinishReason['unified']>({ stop: true, length: true, refusal: true, other: true })

/** @param model its name @throws ChatError `chat/bad-result`, naming the field that is wrong */
export function checkedResult(model: string, result: ChatResult): ChatResult {
  const wrong = wrongIn(result)
  if (wrong === undefined) return result
  throw new ChatError({
    code: 'chat/bad-result',
    message: `${model} gave no result of a chat model: ${wrong}.`,
    hint: "A result is { text, finishReason: { unified: 'stop' }, usage: { promptTokens, completionTokens } }; usage may be undefined.",
    details: { model },
  })
}

function wrongIn(result: unknown): string | undefined {
  if (!isObject(result)) return 'it is no object'
  const { text, finishReason, usage } = result
  if (!isObject(finishReason)) return aText(text, 'text') ?? 'finishReason is no object'
  const isCounted = usage === undefined || isObject(usage)
  return (
    aText(text, 'text') ??
    reason(finishReason.unified, 'finishReason.unified') ??
    (isCounted ? undefined : 'usage is no object') ??
    (isObject(usage)
      ? (anAmount(usage.promptTokens, 'usage.promptTokens') ??
        anAmount(usage.completionTokens, 'usage.completionTokens'))
      : undefined)
  )
}
