/**
 * Errors by which a server ends a call as a model would: its prompt or response was blocked, or reasoning took all tokens. A
 * retry would end the same way, so the call has a result, and the reading can go on.
 */
import type { ChatResult, FinishReason } from './chat.ts'
import type { HttpReply } from './http-exchange.ts'
import { readMessage } from './server-error.ts'

/** In words of Azure, OpenAI, DashScope, DeepSeek and OpenRouter. */
const blocked =
  /content_filter|content_policy_violation|data_?inspection_?failed|content exists risk|(?:prompt|input) was flagged/i
/** OpenAI's, for reasoning models. */
const cut = /could not finish the message because max_tokens or model output limit was reached/i

/** Undefined for any other reply. */
export function endedByServer(reply: HttpReply): ChatResult | undefined {
  if (reply.status !== 400 && reply.status !== 403) return undefined
  const { message, code } = readMessage(reply, false)
  const said = `${code} ${message}`
  const unified: FinishReason['unified'] | undefined = blocked.test(said)
    ? 'refusal'
    : cut.test(said)
      ? 'length'
      : undefined
  return unified && { text: '', usage: undefined, finishReason: { unified, raw: code || undefined } }
}
