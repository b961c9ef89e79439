/** Shared by the tests of a reading: a short text, a scripted model, and the events of reading one with the other. */
import type { ChatModel } from '../../chat/chat.ts'
import { createScriptedModel, type Script } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import { contractText } from '../../testing/rehearsal.ts'
import type { ReadingEvent } from '../events.ts'
import type { ReadingOptions } from '../options.ts'
import { readDocument } from '../reader.ts'

export const text = contractText(7)
export const document = createTextDocument(text)
export const modelOf = (script: Script, more: Partial<ChatModel> = {}) => ({
  ...createScriptedModel(script, { profile: contractProfile, contextWindow: 480 }),
  ...more,
})
export const note = () => 'A note.'
/** For workflows that ask for reports. */
export const report = () => 'yes\nA note.'

export async function collect(
  options: Partial<ReadingOptions> & Pick<ReadingOptions, 'model'>,
): Promise<ReadingEvent[]> {
  const events: ReadingEvent[] = []
  for await (const event of readDocument({ question: 'Who came?', document, ...options })) events.push(event)
  return events
}
