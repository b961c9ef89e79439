/** A reading with a workflow and scripted responses, and how it ended. */
import assert from 'node:assert/strict'
import { createScriptedModel, type Script } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import { logEntry } from '../../reading/checkpoint-shape.ts'
import type { ReadingEvent } from '../../reading/events.ts'
import type { ReadingOptions } from '../../reading/options.ts'
import { readDocument } from '../../reading/reader.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import type { PromptPlaces } from '../prompts/prompts.ts'
import type { Json, Workflow } from '../workflow.ts'

export const scriptedText = Array.from({ length: 40 }, (_, i) => `Sentence ${i} has exactly six words.`).join(
  ' ',
)
const profile = { ...contractProfile, budget: { ...contractProfile.budget, window: 600 } }

export type ReadingChange = Partial<
  Pick<ReadingOptions, 'memory' | 'acceptsSilence' | 'profile' | 'question' | 'document'>
>

/** Reads four chunks, and asks for the answer. */
export const readingWith =
  <State extends Json, Places extends PromptPlaces>(workflow: Workflow<State, Places>) =>
  async (replies: Script, more: ReadingChange = {}) => {
    const model = createScriptedModel(replies, { profile, contextWindow: profile.budget.window })
    const events: ReadingEvent[] = []
    const reading = {
      workflow: workflow as unknown as Workflow,
      document: createTextDocument(scriptedText),
      model,
    }
    for await (const event of readDocument({ question: 'Who?', ...reading, ...more })) events.push(event)
    const memories = events.filter((event) => event.type === 'memory-end')
    const warnings = events.filter((event) => event.type === 'warning')
    const entry = { type: 'events', sequence: 1, events: [...memories, ...warnings] }
    assert.equal(logEntry(entry, ''), undefined, 'a checkpoint cannot keep these events')
    const last = events.at(-1)
    const prompts = model.calls.map(({ messages }) => messages[0]!.content)
    return {
      prompts,
      shown: prompts.map((prompt) => between('memory', prompt)),
      recalled: prompts.map((prompt) => between('recalled_memory', prompt)),
      calls: model.calls,
      kinds: warnings.map(({ code }) => code),
      memories,
      warnings,
      answer: last?.type === 'answer' ? last : undefined,
      notes: last?.type === 'notes' ? last : undefined,
    }
  }

const between = (tag: string, prompt: string) =>
  new RegExp(`<${tag}>\\n?(.*?)\\n?</${tag}>`, 's').exec(prompt)?.[1]
