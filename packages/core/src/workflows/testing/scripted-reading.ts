/** A reading with a workflow and scripted responses, and how it ended. */
import { createScriptedModel, type ScriptedReply } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import type { ReadingEvent } from '../../reading/events.ts'
import type { ReadingOptions } from '../../reading/options.ts'
import { readDocument } from '../../reading/reader.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import type { PromptPlaces } from '../prompts/prompts.ts'
import type { Json, Workflow } from '../workflow.ts'

const text = Array.from({ length: 40 }, (_, i) => `Sentence ${i} has exactly six words.`).join(' ')
const profile = { ...contractProfile, budget: { ...contractProfile.budget, window: 600 } }

/** Reads four chunks, and asks for the answer. */
export const readingWith =
  <State extends Json, Places extends PromptPlaces>(workflow: Workflow<State, Places>) =>
  async (
    replies: readonly ScriptedReply[],
    more: Partial<
      Pick<ReadingOptions, 'memory' | 'acceptsSilence' | 'profile' | 'question' | 'document'>
    > = {},
  ) => {
    const model = createScriptedModel(replies, { profile, contextWindow: profile.budget.window })
    const events: ReadingEvent[] = []
    const reading = { workflow: workflow as unknown as Workflow, document: createTextDocument(text), model }
    for await (const event of readDocument({ question: 'Who?', ...reading, ...more })) events.push(event)
    const last = events.at(-1)
    const prompts = model.calls.map(({ messages }) => messages[0]!.content)
    return {
      prompts,
      shown: prompts.map((prompt) => between('memory', prompt)),
      recalled: prompts.map((prompt) => between('recalled_memory', prompt)),
      kinds: events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
      memories: events.filter((event) => event.type === 'memory-end'),
      warnings: events.filter((event) => event.type === 'warning'),
      answer: last?.type === 'answer' ? last : undefined,
      notes: last?.type === 'notes' ? last : undefined,
    }
  }

const between = (tag: string, prompt: string) =>
  new RegExp(`<${tag}>\\n?(.*?)\\n?</${tag}>`, 's').exec(prompt)?.[1]
