/** One call of a model. A user's own may throw and return anything, and an unreported cut would pass for a whole response. */
import { ChatError, MemAgentError } from '../errors.ts'
import { anAmount, aText, isObject, oneOf } from '../json-shape.ts'
import { messageOf } from '../message-of.ts'
import type { ChatModel, ChatOptions, ChatResult, FinishReason } from './chat.ts'
import type { Message } from './message.ts'

const reason = oneOf<FinishReason['unified']>({ stop: true, length: true, refusal: true, other: true })

/**
 * @param details told with what the model throws
 * @throws ChatError `chat/failed` for what the model throws, unless that is memagent's own or follows an abort; as `checkedResult`
 */
export async function askModel(
  model: Pick<ChatModel, 'name' | 'generate'>,
  messages: readonly Message[],
  options: ChatOptions,
  details: Readonly<Record<string, unknown>> = {},
): Promise<ChatResult> {
  const { name } = model
  let result: ChatResult
  try {
    result = await model.generate(messages, options)
  } catch (cause) {
    if (options.signal?.aborted || MemAgentError.isInstance(cause)) throw cause
    const message = `${name} failed: ${messageOf(cause)}`
    throw new ChatError({ code: 'chat/failed', message, details: { model: name, ...details }, cause })
  }
  return checkedResult(name, result)
}

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
  const wrong = aText(text, 'text')
  if (wrong !== undefined) return wrong
  if (!isObject(finishReason)) return 'finishReason is no object'
  return reason(finishReason.unified, 'finishReason.unified') ?? wrongInUsage(usage)
}

function wrongInUsage(usage: unknown): string | undefined {
  if (usage === undefined) return undefined
  if (!isObject(usage)) return 'usage is no object'
  const { promptTokens, completionTokens } = usage
  return anAmount(promptTokens, 'usage.promptTokens') ?? anAmount(completionTokens, 'usage.completionTokens')
}
