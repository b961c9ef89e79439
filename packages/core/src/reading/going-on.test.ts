/** A memory goes on with further texts, with any workflow and wherever a reading was stopped. */
import { describe, expect, test } from 'vitest'
import { paperProfile, withBudget } from '../chat/profile.ts'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { workflowNamed } from '../workflows/registry.ts'
import { carefulReply, gateFact, gateQuestion } from '../workflows/testing/careful-model.ts'
import type { Json } from '../workflows/workflow.ts'
import { type Checkpoint, type CheckpointStore, createMemoryCheckpointStore } from './checkpoint.ts'
import type { ReadingEvent } from './events.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'
import { type ReadingStart, startAfter } from './reading-start.ts'

const filler = Array.from({ length: 9 }, (_, i) => `The tide of day ${i} was neither high nor low.`)
const facts = [gateFact(1, 'amber'), gateFact(2, 'cedar'), gateFact(3, 'flint')]
const letters = facts.map((fact, i) =>
  createTextDocument(
    [...filler, fact, ...filler, 'Nothing else happened.'].join('\n'),
    `letter-${i + 1}.txt`,
  ),
)
const profile = withBudget(paperProfile, { chunk: 70, memory: 200 })

interface Read {
  readonly events: readonly ReadingEvent[]
  readonly end: Extract<ReadingEvent, { type: 'answer' | 'notes' }> | undefined
  readonly calls: number
}

async function reading(
  workflow: string,
  options: Partial<ReadingOptions<Json>> & { readonly stopAfter?: number },
): Promise<Read> {
  const { stopAfter = Number.POSITIVE_INFINITY, ...rest } = options
  const model = createScriptedModel(({ messages }) => carefulReply(workflow, messages.at(-1)!.content))
  const events: ReadingEvent[] = []
  let steps = 0
  for await (const event of readDocument({
    question: gateQuestion,
    document: letters[0]!,
    model,
    profile,
    provenance: true,
    workflow: await workflowNamed(workflow),
    ...rest,
  })) {
    events.push(event)
    if (event.type === 'chunk-end' && ++steps === stopAfter) break
  }
  const last = events.at(-1)
  const end = last?.type === 'answer' || last?.type === 'notes' ? last : undefined
  return { events, end, calls: model.calls.length }
}

const logOf = async (store: CheckpointStore) =>
  (await store.readLog()).flatMap((entry) => (entry.type === 'memory' ? [entry] : []))

/** Reads the three letters, one after the other. */
async function correspondence(workflow: string, stopAfter?: number) {
  let start: ReadingStart | undefined
  const memories: { readonly step: number; readonly text: string }[] = []
  const read: Read[] = []
  let stops = 0
  for (const document of letters) {
    const checkpoints = createMemoryCheckpointStore()
    const options = { document, checkpoints, answers: false, ...(start && { start }) }
    if (stopAfter !== undefined) {
      for (; !(await reading(workflow, { ...options, stopAfter })).end; ) stops++
    }
    read.push(await reading(workflow, options))
    for (const { step, text } of new Map(
      (await logOf(checkpoints)).map((entry) => [entry.index, entry]),
    ).values()) {
      memories.push({ step, text })
    }
    start = startAfter((await checkpoints.load()) as Checkpoint, memories)
  }
  return { start: start!, read, stops }
}

const empty = createTextDocument('', 'nothing')
const asking = { document: empty, allowEmpty: true }

describe.each(['overwrite', 'edits', 'gated', 'slots', 'recall'])('%s', (workflow) => {
  test('remembers all texts, and says where each statement was read', async () => {
    const { start, read } = await correspondence(workflow)
    const { end, calls } = await reading(workflow, { ...asking, start })
    expect(end).toMatchObject({ answer: { text: 'amber, cedar, flint', outcome: 'found' }, steps: 0 })
    expect(calls).toBe(1)
    const sources = end!.provenance!.answer!.flatMap((statement) => statement.sources)
    expect(sources).toMatchObject(
      facts.map((quote, i) => ({ quote, file: `letter-${i + 1}.txt`, position: { line: 10 } })),
    )
    const steps = read.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'chunk-end' ? [event.step] : [])),
    )
    expect(steps.length).toBeGreaterThan(6)
    expect(steps).toEqual(steps.map((_, i) => i))
    expect(start.steps).toBe(steps.length)
    expect(read.map((one) => one.end?.type)).toEqual(['notes', 'notes', 'notes'])
  })

  test('comes to the same after stops at every step', async () => {
    const whole = await correspondence(workflow)
    const stopped = await correspondence(workflow, 1)
    expect(stopped.stops).toBeGreaterThan(6)
    expect(stopped.start).toEqual(whole.start)
    expect(stopped.read.map(({ end }) => end?.memory)).toEqual(whole.read.map(({ end }) => end?.memory))
  })

  test('answers another question, and is unsure of what the memory was not kept for', async () => {
    const { start } = await correspondence(workflow)
    const other = await reading(workflow, { ...asking, start, question: 'Which words open gates?' })
    expect(other.end).toMatchObject({ answer: { text: 'amber, cedar, flint', outcome: 'found' } })
    const nothing = { ...start, state: (await workflowNamed(workflow)).init(gateQuestion) }
    const state = { ...(nothing.state as object), steps: start.steps } as Json
    const unknown = await reading(workflow, {
      ...asking,
      start: { ...nothing, state },
      question: 'Who came?',
    })
    expect(unknown.end).toMatchObject({
      answer: { outcome: 'unsure' },
      warnings: [{ code: 'notes-of-another-question', touchesAnswer: true }],
    })
  })
})

test('reading ahead comes to the same', async () => {
  const { start } = await correspondence('edits')
  const one = await reading('edits', { document: letters[1]!, start })
  const ahead = await reading('edits', { document: letters[1]!, start, ahead: 4 })
  expect(ahead.end?.provenance).toEqual(one.end?.provenance)
  expect(ahead.end?.memory).toBe(one.end?.memory)
})

test('keeps the warnings of earlier readings, which may make an answer unsure', async () => {
  const checkpoints = createMemoryCheckpointStore()
  const model = createScriptedModel(() => '', { profile })
  const workflow = await workflowNamed('overwrite')
  const state = { ...(workflow.init(gateQuestion) as object), memory: 'Gate 9 is shut.' } as Json
  const before = { question: gateQuestion, state, steps: 0, bytes: 0, keptMemories: 0, warnings: [] }
  for await (const _ of readDocument({
    question: gateQuestion,
    answers: false,
    document: letters[0]!,
    start: { ...before, memories: [] },
    provenance: true,
    model,
    checkpoints,
  }));
  const start = startAfter((await checkpoints.load())!)
  expect(start).toMatchObject({ keptMemories: start.steps, warnings: [{ code: 'memory-empty' }] })
  const { end } = await reading('overwrite', { ...asking, start })
  expect(end).toMatchObject({ answer: { outcome: 'unsure' }, warnings: [{ code: 'memory-empty' }] })
})

test('refuses workflows that need a whole text, before the first call', async () => {
  for (const workflow of ['parallel', 'skim', 'gated-exit']) {
    await expect(reading(workflow, { answers: false })).rejects.toMatchObject({
      code: 'reading/cannot-go-on',
      message: expect.stringContaining(workflow),
    })
  }
})

test('refuses the memory of another workflow, and a reading of another memory', async () => {
  const { start } = await correspondence('edits')
  await expect(reading('slots', { start })).rejects.toMatchObject({ code: 'reading/another-state' })
  const checkpoints = createMemoryCheckpointStore()
  await reading('edits', { start, checkpoints, stopAfter: 1 })
  const other = { ...start, state: { ...(start.state as object), lines: [] } as Json }
  await expect(reading('edits', { start: other, checkpoints })).rejects.toMatchObject({
    code: 'checkpoint/of-another-run',
    details: { differing: ['start'] },
  })
})
