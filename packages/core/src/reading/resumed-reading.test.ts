/** Resuming from a checkpoint. Resuming at every step is in the contract of workflows. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatModel } from '../chat/chat.ts'
import { createScriptedModel } from '../chat/scripted.ts'
import type { TextDocument } from '../documents/document.ts'
import { createStreamDocument, createTextDocument } from '../documents/text-document.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { gatedExit } from '../workflows/gated/gated.ts'
import { recall } from '../workflows/recall/recall.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { type Checkpoint, createMemoryCheckpointStore } from './checkpoint.ts'
import type { ReadingEvent } from './events.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'
import { collect, document, modelOf, note, text } from './testing/short-reading.ts'

describe('a resumed reading', () => {
  const stopAfter = async (
    chunks: number,
    options: Partial<ReadingOptions> & Pick<ReadingOptions, 'model'>,
  ) => {
    const controller = new AbortController()
    let seen = 0
    const reading = readDocument({ question: 'Who came?', document, ...options, signal: controller.signal })
    try {
      for await (const event of reading) {
        if (event.type === 'chunk-end' && ++seen === chunks) controller.abort(new Error('stopped'))
      }
    } catch (error) {
      expect((error as Error).message).toBe('stopped')
    }
  }

  it('reports how far it was', async () => {
    const checkpoints = createMemoryCheckpointStore()
    await stopAfter(4, { model: modelOf(note), checkpoints })
    const [start] = await collect({ model: modelOf(note), checkpoints })
    expect(start).toMatchObject({ type: 'reading-start', resumedSteps: 4, usage: { calls: 4 } })
  })

  it.each(['load', 'readLog'] as const)(
    'does not wait for a store whose %s hangs once it is aborted',
    async (method) => {
      const checkpoints = createMemoryCheckpointStore()
      await stopAfter(4, { model: modelOf(note), checkpoints })
      const controller = new AbortController()
      const hanging = () => {
        setTimeout(() => controller.abort(new Error('tired')), 5)
        return new Promise<never>(() => undefined)
      }
      const store = { ...checkpoints, [method]: hanging }
      const resumed = collect({ model: modelOf(note), checkpoints: store, signal: controller.signal })
      await expect(resumed).rejects.toThrow('tired')
    },
  )

  it('replays earlier events when asked to', async () => {
    const kinds = ['memory-end', 'chunk-end', 'warning']
    const told = (events: readonly ReadingEvent[]) =>
      events.filter(({ type }) => kinds.includes(type)).map((event) => ({ ...event, seconds: 0 }))
    const whole = told(await collect({ model: modelOf(note) }))
    const checkpoints = createMemoryCheckpointStore()
    await stopAfter(3, { model: modelOf(note), checkpoints, replays: true })
    await stopAfter(2 + 3, { model: modelOf(note), checkpoints, replays: true })
    const events = await collect({ model: modelOf(note), checkpoints, replays: true })
    expect(events[0]).toMatchObject({ type: 'reading-start', resumedSteps: 5 })
    expect(told(events)).toEqual(whole)
    expect(told(await collect({ model: modelOf(note), checkpoints }))).toEqual([])
  })

  it('of a silent model fails with a hint to remove the checkpoint', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const silent = () => createScriptedModel(() => ' ', { profile: contractProfile })
    const inTheWay = { code: 'chat/nothing-said', hint: expect.stringContaining('remove the checkpoint') }
    await expect(collect({ model: silent(), checkpoints })).rejects.toMatchObject(inTheWay)
    const again = {
      code: 'chat/nothing-said',
      hint: expect.stringMatching(/^In the run of this checkpoint/),
    }
    await expect(collect({ model: silent(), checkpoints })).rejects.toMatchObject(again)
  })

  it.each([
    ['question', { question: 'Who left?' }],
    ['document', { document: createTextDocument(`${text} More.`) }],
    ['sampling', { sampling: { seed: 7 } }],
    ['sampling', { sampling: { temperature: 0.5 } }],
    ['profile', { profile: { ...contractProfile, budget: { ...contractProfile.budget, chunk: 50 } } }],
    ['profile', { profile: { ...contractProfile, chunking: 'exact' } }],
    ['workflow', { workflow: recall as unknown as Workflow }],
    ['model', { model: createScriptedModel(note, { name: 'other', profile: contractProfile }) }],
  ] as const)('refuses the checkpoint of a run with another %s', async (differing, change) => {
    const checkpoints = createMemoryCheckpointStore()
    await stopAfter(2, { model: modelOf(note), checkpoints })
    await expect(collect({ model: modelOf(note), checkpoints, ...change })).rejects.toMatchObject({
      code: 'checkpoint/of-another-run',
      details: { differing: [differing] },
    })
  })

  it('goes on with the same weights alone, where both are known', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const read = (more: Partial<ChatModel>) => collect({ model: modelOf(note, more), checkpoints })
    await stopAfter(2, { model: modelOf(note, { identity: async () => 'first' }), checkpoints })
    await expect(read({ identity: async () => 'second' })).rejects.toMatchObject({
      code: 'checkpoint/of-another-run',
      message: 'The checkpoint belongs to another run: the model has other weights.',
    })
    await expect(read({ weights: async () => 'other' })).rejects.toThrow('other weights')
    const cannotTell = () => Promise.reject(new Error('No server.'))
    const [start] = await read({ identity: async () => 'second', weights: cannotTell })
    expect(start).toMatchObject({ resumedSteps: 2 })
  })

  it('that knew no weights goes on with any', async () => {
    const checkpoints = createMemoryCheckpointStore()
    await stopAfter(2, { model: modelOf(note), checkpoints })
    const [start] = await collect({ model: modelOf(note, { identity: async () => 'first' }), checkpoints })
    expect(start).toMatchObject({ resumedSteps: 2 })
  })

  /** The checkpoint of a run of four chunks, edited by hand. */
  const changedAfter = async (
    change: (saved: Checkpoint) => object,
    options: { readonly document?: TextDocument; readonly isDone?: boolean } = {},
  ) => {
    const checkpoints = createMemoryCheckpointStore()
    const of = options.document ? { document: options.document } : {}
    if (options.isDone) await collect({ model: modelOf(note), checkpoints, ...of })
    else await stopAfter(4, { model: modelOf(note), checkpoints, ...of })
    const saved = (await checkpoints.load())!
    const model = modelOf(note)
    const store = { ...checkpoints, load: async () => ({ ...saved, ...change(saved) }) as Checkpoint }
    return { model, reading: collect({ model, checkpoints: store, ...of }) }
  }

  it.each<readonly [string, (saved: Checkpoint) => object, string, RegExp]>([
    ['no state', () => ({ state: null }), 'damaged', /its state is none of the workflow overwrite/],
    [
      'notes that are none',
      ({ state }) => ({ state: { ...(state as object), memory: 7 } }),
      'damaged',
      /its state is none/,
    ],
    [
      'a state for another question',
      ({ state }) => ({ state: { ...(state as object), question: 'Who left?' } }),
      'damaged',
      /its state is none of the workflow overwrite for this question after 4 chunks/,
    ],
    [
      'a position far beyond',
      ({ position }) => ({ position: { ...position, characters: 1e15 } }),
      'position',
      /stands at character 1000000000000000 of text, which has \d+\.$/,
    ],
    [
      'a position within the text that skips a part of it',
      ({ position }) => ({ position: { ...position, characters: position.characters + 40 } }),
      'position',
      /stands at character \d+ of text, where no chunk of this run ends\.$/,
    ],
    [
      'a reading that is done before the end of the text',
      () => ({ isDone: true }),
      'damaged',
      /its state is none .* after 4 chunks, before the end of the text/,
    ],
    [
      'an answer before the end of the text',
      () => ({ isDone: true, answer: { text: 'Ann', outcome: 'found' } }),
      'damaged',
      /before the end of the text/,
    ],
    [
      'an ordinal of its own',
      ({ position }) => ({ position: { ...position, ordinal: 2 } }),
      'damaged',
      /it counts 4 chunks in 4 steps, and its position is behind 2/,
    ],
    [
      'steps that were not read',
      ({ position }) => ({ steps: 90, sequence: 90, position: { ...position, ordinal: 90, characters: 12 } }),
      'damaged',
      /behind 90 chunks and 12 characters/,
    ],
    [
      'an answer before the end',
      () => ({ answer: { text: 'Ann', outcome: 'found' } }),
      'damaged',
      /it has an answer although its reading is not done/,
    ],
    ['invalid usage', () => ({ usage: { calls: Number.NaN } }), 'damaged', /usage/],
  ])('refuses %s, before any call', async (_, change, code, message) => {
    const { model, reading } = await changedAfter(change)
    const error = await reading.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ name: 'CheckpointError', code: `checkpoint/${code}` })
    expect((error as Error).message).toMatch(message)
    expect(model.calls).toHaveLength(0)
  })

  it.each<readonly [string, (saved: Checkpoint) => object, string]>([
    ['found, and empty', () => ({ answer: { text: '', outcome: 'found' } }), 'damaged'],
    ['behind the end', ({ position }) => ({ position: { ...position, characters: 1e12 } }), 'position'],
    ['before the end', ({ position }) => ({ position: { ...position, characters: 40 } }), 'position'],
  ])('refuses an answer that is %s', async (_, change, code) => {
    const { reading } = await changedAfter(change, { isDone: true })
    await expect(reading).rejects.toMatchObject({ code: `checkpoint/${code}` })
  })

  it('with anything changed is rejected as a checkpoint, or ends in an answer', async () => {
    const places = [
      ...[
        'version',
        'sequence',
        'steps',
        'seconds',
        'memoryLogLength',
        'isDone',
        'warnings',
        'answer',
        'state',
      ],
      ...['position.ordinal', 'position.characters', 'position.isEnd', 'usage.calls', 'usage.keptMemories'],
      ...['state.memory', 'state.steps', 'state.question', 'identity.model', 'answer.text', 'answer.outcome'],
    ]
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(0, 1, -1, 4, 1e15, true, '', null))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), value, async (place, value) => {
        const [field, part] = place.split('.') as [keyof Checkpoint, string?]
        const change = (saved: Checkpoint) => ({
          [field]: part === undefined ? value : { ...(saved[field] as object), [part]: value },
        })
        const { reading } = await changedAfter(change, { isDone: field === 'answer' })
        const end = await reading.then(
          (events) => events.at(-1)?.type,
          (error: Error) => error.name,
        )
        expect(['answer', 'CheckpointError']).toContain(end)
      }),
      { numRuns: 300 },
    )
  })

  it('rejects a position without the hash of the text', async () => {
    const checkpoints = createMemoryCheckpointStore()
    await stopAfter(4, { model: modelOf(note), checkpoints, document: stream(text) })
    const saved = (await checkpoints.load())!
    const { textHash, ...position } = saved.position
    const store = { ...checkpoints, load: async () => ({ ...saved, position }) as unknown as Checkpoint }
    const reading = collect({ model: modelOf(note), checkpoints: store, document: stream(text) })
    await expect(reading).rejects.toMatchObject({ code: 'checkpoint/damaged' })
  })

  const stream = (content: string): TextDocument =>
    createStreamDocument(
      (async function* () {
        for (let i = 0; i < content.length; i += 100) yield content.slice(i, i + 100)
      })(),
      'standard input',
    )

  it('continues with the same stream, and rejects another one', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const whole = await collect({ model: modelOf(note), document: stream(text) })
    await stopAfter(4, { model: modelOf(note), checkpoints, document: stream(text) })
    const other = collect({ model: modelOf(note), checkpoints, document: stream(`x${text}`) })
    await expect(other).rejects.toMatchObject({ code: 'checkpoint/another-text' })
    const shorter = collect({ model: modelOf(note), checkpoints, document: stream(text.slice(0, 100)) })
    await expect(shorter).rejects.toMatchObject({ code: 'checkpoint/another-text' })
    const events = await collect({ model: modelOf(note), checkpoints, document: stream(text) })
    expect({ ...events.at(-1), seconds: 0 }).toEqual({ ...whole.at(-1), seconds: 0 })
  })

  it('gives its saved answer only for the same stream', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const whole = await collect({ model: modelOf(note), checkpoints, document: stream(text) })
    const again = await collect({ model: modelOf(note), checkpoints, document: stream(text) })
    expect({ ...again.at(-1), seconds: 0 }).toEqual({ ...whole.at(-1), seconds: 0 })
    for (const other of [`x${text}`, text.slice(0, -1), `${text} More.`, '']) {
      const reading = collect({ model: modelOf(note), checkpoints, document: stream(other) })
      await expect(reading).rejects.toMatchObject({ code: 'checkpoint/another-text' })
    }
  })

  it('gives the saved answer of a stream that was left early, whatever follows', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const model = () => modelOf(['yes\nAnn came.\nend', '\\boxed{Ann}'])
    const workflow = gatedExit as unknown as Workflow
    const collected = (content: string) =>
      collect({ model: model(), checkpoints, workflow, document: stream(content) })
    await collected(text)
    expect((await collected(`${text} More.`)).at(-1)?.type).toBe('answer')
    await expect(collected(`x${text}`)).rejects.toMatchObject({ code: 'checkpoint/another-text' })
  })
})
