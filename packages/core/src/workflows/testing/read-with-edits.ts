/** A reading with the workflow `edits` and scripted responses, and what became of it. */
import { createScriptedModel, type ScriptedReply } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import type { ReadingEvent } from '../../reading/events.ts'
import type { ReadingOptions } from '../../reading/options.ts'
import { readDocument } from '../../reading/reader.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import { edits } from '../edits.ts'
import type { Json, Workflow } from '../workflow.ts'

const text = Array.from({ length: 40 }, (_, i) => `Sentence ${i} has exactly six words.`).join(' ')
const profile = { ...contractProfile, budget: { ...contractProfile.budget, window: 600 } }

/** Four chunks, and the answer. */
export async function readWith(
  replies: readonly ScriptedReply[],
  more: Partial<Pick<ReadingOptions, 'memory' | 'acceptsSilence' | 'profile'>> = {},
) {
  const model = createScriptedModel(replies, { profile, contextWindow: profile.budget.window })
  const events: ReadingEvent[] = []
  const workflow = edits as unknown as Workflow<Json>
  const document = createTextDocument(text)
  for await (const event of readDocument({ question: 'Who?', document, model, workflow, ...more })) {
    events.push(event)
  }
  const last = events.at(-1)
  const prompts = model.calls.map(({ messages }) => messages[0]!.content)
  return {
    prompts,
    shown: prompts.map((prompt) => /<memory>\n?(.*?)\n?<\/memory>/s.exec(prompt)?.[1]),
    kinds: events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
    memories: events.filter((event) => event.type === 'memory-end'),
    warnings: events.filter((event) => event.type === 'warning'),
    answer: last?.type === 'answer' ? last : undefined,
  }
}
