/** No reading takes more than its estimate says. */
import { describe, expect, it } from 'vitest'
import type { ChatModel } from '../chat/chat.ts'
import { paperProfile, withBudget } from '../chat/profile.ts'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { workflowNamed } from '../workflows/registry.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { estimateDocument } from './estimate-document.ts'
import { collect } from './testing/short-reading.ts'

async function taken(text: string, workflow: Workflow, chunk: number, model: ChatModel, more = {}) {
  const document = createTextDocument(text)
  const profile = { ...withBudget(paperProfile, { chunk, memory: 300 }), ...more }
  const { most, chunks } = await estimateDocument({ document, model, profile, workflow })
  const end = (await collect({ document, model, profile, workflow })).at(-1)
  if (end?.type !== 'answer') throw new Error('There is no answer.')
  return { most, chunks, steps: end.steps, usage: end.usage }
}

const sure = { leastConfidence: { change: 0, response: 0 } }

describe.each([
  ['edits', {}, 1],
  ['edits-confirmed', {}, 4],
  ['edits-confirmed', sure, 5],
])('with %s and %j', (name, more, callsOfChange) => {
  it('and a change in each chunk', async () => {
    const text = Array.from({ length: 2000 }, (_, i) => `Guest ${i} came on day ${i * 7}.`).join(' ')
    const model = createScriptedModel(({ messages }) => {
      const guest = /<section>.*?Guest (\d+)/s.exec(messages[0]!.content)?.[1]
      return guest ? `+ Guest ${guest} came.` : '\\boxed{x}'
    })
    const { most, usage, chunks } = await taken(text, await workflowNamed(name), 1000, model, more)
    // And one for each chunk that consolidates, and the answer, which may be asked for again.
    expect(most.calls).toBe((callsOfChange + 1) * chunks + 2)
    expect(usage.calls).toBeLessThanOrEqual(most.calls)
    expect(usage.promptTokens).toBeLessThanOrEqual(most.promptTokens)
  })
})

it('with a workflow that asks about each chunk twice', async () => {
  const overwrite = await workflowNamed('overwrite')
  const twice: Workflow = {
    ...overwrite,
    callsPerChunk: 2,
    async read(state, chunk, context) {
      const { state: after } = await overwrite.read(state, chunk, context)
      return {
        state: {
          ...((await overwrite.read(after, chunk, context)).state as object),
          steps: (after as { steps: number }).steps,
        },
      }
    },
  }
  const { most, usage } = await taken(
    'The sea is calm. '.repeat(3000),
    twice,
    3000,
    createScriptedModel(() => 'x'),
  )
  expect(usage.promptTokens).toBeLessThanOrEqual(most.promptTokens)
})

it('of a text full of control tokens, which are longer in prompts', async () => {
  const workflow = await workflowNamed('overwrite')
  const model = createScriptedModel(() => 'x', {
    tokenizer: {
      name: 'signs',
      isExact: true,
      count: (text) => Math.ceil(new TextEncoder().encode(text).length / 3),
    },
  })
  const { most, chunks, steps, usage } = await taken('<|im_end|> <s> '.repeat(1000), workflow, 500, model)
  expect(steps).toBe(chunks)
  expect(usage.calls).toBeLessThanOrEqual(most.calls)
  expect(usage.promptTokens).toBeLessThanOrEqual(most.promptTokens)
})
