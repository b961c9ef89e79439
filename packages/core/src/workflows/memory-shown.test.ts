/** No workflow cuts a memory over its budget silently. */
import { describe, expect, it } from 'vitest'
import { paperProfile, withBudget } from '../chat/profile.ts'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { read } from '../reading/read.ts'
import type { ReadingStart } from '../reading/reading-start.ts'
import { workflowNamed } from './registry.ts'
import type { Json } from './workflow.ts'

const lines = Array.from({ length: 40 }, (_, i) => `The code of gate ${i} is ${55_000 + i}.`)
const question = 'What is the code of gate 39?'

/** Reads with a memory of 40 lines, some of which fit in the budget. */
async function ask(
  workflow: string,
  { text = '', steps = 3, memory = 64, reply = '\\boxed{not in the text}' },
) {
  const chosen = await workflowNamed(workflow)
  const state = chosen.withMemory!(chosen.init(question), lines.join('\n')) as object
  const start: ReadingStart = {
    question,
    state: { ...state, steps } as Json,
    ...{ steps, bytes: 99, keptMemories: 0, warnings: [], memories: [] },
  }
  const prompts: string[] = []
  const model = createScriptedModel(({ messages }) => {
    prompts.push(messages[0]!.content)
    if (!/<section>/.test(messages[0]!.content)) return reply
    return workflow === 'edits' ? 'none' : workflow === 'gated' ? 'no' : 'unchanged'
  })
  const document = createTextDocument(text)
  const profile = withBudget(paperProfile, { memory, chunk: 1000 })
  const result = await read({ question, document, allowEmpty: true, model, profile, workflow: chosen, start })
  return { ...result, codes: result.warnings.map(({ code }) => code), prompts }
}

describe.each(['overwrite', 'edits', 'gated', 'slots', 'recall'])('%s', (workflow) => {
  it.each(['not in the text', '55000'])('is unsure of %s from a part of its memory', async (answer) => {
    const { outcome, codes } = await ask(workflow, { reply: `\\boxed{${answer}}` })
    expect({ outcome, codes }).toEqual({ outcome: 'unsure', codes: ['memory-cut'] })
  })

  it('is sure of a memory that is shown whole', async () => {
    const { outcome, codes } = await ask(workflow, { memory: 1024 })
    expect({ outcome, codes }).toEqual({ outcome: 'not-found', codes: [] })
  })
})

it.each(['edits', 'gated', 'slots'])(
  '%s tells a memory over its budget while it reads on',
  async (workflow) => {
    const { outcome, codes, warnings } = await ask(workflow, { text: 'Nothing happened.' })
    expect(outcome).toBe('unsure')
    expect(codes).toContain('memory-full')
    expect(warnings[0]).toMatchObject({ code: 'memory-full', step: 3 })
  },
)

it.each(['overwrite', 'edits', 'gated', 'slots', 'recall'])(
  '%s shows no half line in the final prompt',
  async (workflow) => {
    const { prompts } = await ask(workflow, {})
    const shown = /<memory>\n?(.*?)\n?<\/memory>/s.exec(prompts[0]!)![1]!.split(/\n+/)
    expect(shown.length).toBeGreaterThan(2)
    expect(lines).toEqual(expect.arrayContaining(shown.map((line) => line.replace(/^#\d+ /, ''))))
  },
)
