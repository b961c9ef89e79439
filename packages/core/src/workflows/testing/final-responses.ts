/** A reading of one chunk with scripted responses to its final calls, and how it ended. */
import type { ChatResult } from '../../chat/chat.ts'
import { createScriptedModel, type ScriptedReply } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import type { ReadingEvent } from '../../reading/events.ts'
import type { ReadingOptions } from '../../reading/options.ts'
import { readDocument } from '../../reading/reader.ts'
import { contractProfile } from '../../testing/contract-profile.ts'

export const ended = (unified: ChatResult['finishReason']['unified'], raw?: string) => ({ unified, raw })
export const length = ended('length', 'length')

const text = 'Ann wrote the code down. It is 4821.'
export async function finish(replies: readonly ScriptedReply[], more: Partial<ReadingOptions> = {}) {
  const model = createScriptedModel(['A note.', ...replies], { profile: contractProfile, contextWindow: 480 })
  const events: ReadingEvent[] = []
  let error: unknown
  try {
    const options = { question: 'Who?', document: createTextDocument(text), model, ...more }
    for await (const event of readDocument(options)) events.push(event)
  } catch (cause) {
    error = cause
  }
  const end = events.at(-1)
  const codes = events.flatMap((event) => (event.type === 'warning' ? [event.code] : []))
  return { model, codes, error, end: end?.type === 'answer' ? end : undefined }
}
