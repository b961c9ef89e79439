/** The statements of every workflow lead to their passages, also when reading ahead and after a stop at any step. */
import { describe, expect, test } from 'vitest'
import { paperProfile, withBudget } from '../chat/profile.ts'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { LimitError } from '../errors.ts'
import type { Provenance } from '../provenance/provenance.ts'
import { workflowNamed, workflowNames } from '../workflows/registry.ts'
import { carefulReply, gateFact, gateQuestion } from '../workflows/testing/careful-model.ts'
import { type CheckpointStore, createMemoryCheckpointStore } from './checkpoint.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'

const filler = Array.from(
  { length: 12 },
  (_, i) => `The tide of day ${i} was neither high nor low, and the sea was grey.`,
)
const facts = [gateFact(1, 'amber'), gateFact(2, 'cedar'), gateFact(3, 'flint')]
const text = facts.flatMap((fact) => [...filler, fact, ...filler]).join('\n')
const profile = withBudget(paperProfile, { chunk: 120, memory: 200 })

async function provenanceOf(
  name: string,
  settings: {
    readonly ahead?: number
    readonly checkpoints?: CheckpointStore
    readonly stopAfter?: number
  } = {},
): Promise<Provenance | undefined> {
  const { stopAfter = Number.POSITIVE_INFINITY, ...rest } = settings
  const model = createScriptedModel(({ messages }) =>
    carefulReply(name === 'skim' ? 'overwrite' : name, messages.at(-1)!.content),
  )
  let steps = 0
  const options = {
    question: gateQuestion,
    document: createTextDocument(text, 'gates.txt'),
    model,
    profile,
    provenance: true,
  }
  for await (const event of readDocument({ ...options, workflow: await workflowNamed(name), ...rest })) {
    if (event.type === 'answer') return event.provenance
    if (event.type === 'chunk-end' && ++steps === stopAfter) return undefined
  }
  return undefined
}

const placeOf = (part: string) => {
  const startByte = text.indexOf(part)
  return {
    quote: part,
    file: 'gates.txt',
    startByte,
    endByte: startByte + part.length,
    line: text.slice(0, startByte).split('\n').length,
  }
}
const placesIn = (statements: Provenance['memory']) =>
  statements.flatMap(({ sources }) =>
    sources.map(({ quote, file, startByte, endByte, position }) => ({
      quote,
      file,
      startByte,
      endByte,
      line: position?.line,
    })),
  )

describe.each(workflowNames)('%s', (name) => {
  test('leads from its memory and its answer to the text', async () => {
    const provenance = await provenanceOf(name)
    expect(provenance!.memory.map(({ text: stated, verdict }) => [stated, verdict]).sort()).toEqual(
      facts.map((fact) => [fact, 'found']),
    )
    const places = placesIn(provenance!.memory).toSorted((a, b) => a.startByte - b.startByte)
    const wanted = facts.map(placeOf)
    // `skim` reads with gaps, so lines are not known.
    expect(places).toMatchObject(name === 'skim' ? wanted.map(({ line: _, ...rest }) => rest) : wanted)
    expect(provenance!.answer!.map(({ text: stated }) => stated).join(', ')).toBe('amber, cedar, flint')
    expect(placesIn(provenance!.answer!).map(({ quote }) => quote)).toEqual(facts)
  })

  test('comes to the same after stops', async () => {
    const whole = await provenanceOf(name)
    for (const stopAfter of [1, 3]) {
      const checkpoints = createMemoryCheckpointStore()
      for (let stops = 0; stops < 3; stops++) await provenanceOf(name, { checkpoints, stopAfter })
      expect(await provenanceOf(name, { checkpoints })).toEqual(whole)
      // Also from a finished run.
      expect(await provenanceOf(name, { checkpoints })).toEqual(whole)
    }
  })
})

test.each(['overwrite', 'parallel'])(
  '%s tells after each step which statements are new, and where they were read',
  async (name) => {
    const model = createScriptedModel(({ messages }) => carefulReply(name, messages.at(-1)!.content))
    const checkpoints = createMemoryCheckpointStore()
    const told = []
    const document = createTextDocument(text, 'gates.txt')
    const options = {
      question: gateQuestion,
      document,
      model,
      profile,
      provenance: true,
      checkpoints,
      replays: true,
    }
    for await (const event of readDocument({ ...options, workflow: await workflowNamed(name) })) {
      if (event.type === 'sources') told.push(...event.statements)
    }
    expect(told.map(({ text: stated, verdict }) => [stated, verdict]).sort()).toEqual(
      facts.map((fact) => [fact, 'found']),
    )
    expect(
      placesIn(told)
        .map(({ quote }) => quote)
        .sort(),
    ).toEqual(facts.toSorted())
    // They are kept with the other events.
    const again = []
    for await (const event of readDocument({ ...options, workflow: await workflowNamed(name) })) {
      if (event.type === 'sources') again.push(...event.statements)
    }
    expect(again).toEqual(told)
  },
)

test('reading ahead comes to the same', async () => {
  for (const name of ['overwrite', 'edits', 'slots']) {
    expect(await provenanceOf(name, { ahead: 4 })).toEqual(await provenanceOf(name))
  }
})

test('are not said to be missing where a reading was begun without looking for them', async () => {
  const end = async (more: Partial<ReadingOptions>) => {
    const model = createScriptedModel(({ messages }) => carefulReply('overwrite', messages.at(-1)!.content))
    const document = createTextDocument(text, 'gates.txt')
    for await (const event of readDocument({ question: gateQuestion, document, model, profile, ...more })) {
      if (event.type === 'answer') return event
    }
    return undefined
  }
  const checkpoints = createMemoryCheckpointStore()
  const limits = { maxCalls: 3 }
  await expect(end({ checkpoints, limits })).rejects.toThrow(LimitError)
  const goneOn = await end({ checkpoints, provenance: true })
  expect(goneOn).toMatchObject({
    answer: { outcome: 'found' },
    warnings: [{ code: 'sources-unknown', count: 1, touchesAnswer: false }],
  })
  expect(goneOn).not.toHaveProperty('provenance')
  // Nor for the kept answer of a finished reading.
  const finished = createMemoryCheckpointStore()
  expect((await end({ checkpoints: finished }))?.warnings).toEqual([])
  const again = await end({ checkpoints: finished, provenance: true })
  expect(again?.warnings).toMatchObject([{ code: 'sources-unknown' }])
  expect(again).not.toHaveProperty('provenance')
})
