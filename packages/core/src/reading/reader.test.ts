/** The loop around workflows: events, failures, aborts, exits, passes, windows. */
import { describe, expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import type { TextDocument } from '../documents/document.ts'
import { createStreamDocument, createTextDocument } from '../documents/text-document.ts'
import { CheckpointError, MemAgentError } from '../errors.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { contractText } from '../testing/rehearsal.ts'
import { gatedExit } from '../workflows/gated/gated.ts'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import { parallel } from '../workflows/parallel/parallel.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import { read } from './read.ts'
import { readDocument } from './reader.ts'
import { collect, document, modelOf, note, report, text } from './testing/short-reading.ts'

describe('a reading', () => {
  it('starts from notes that are already there, where the workflow can', async () => {
    const prompts: string[] = []
    const model = modelOf(({ messages }) => {
      prompts.push(messages[0]!.content)
      return 'A note.'
    })
    await collect({ model, memory: 'Ann came on Monday.' })
    expect(prompts[0]).toContain('Ann came on Monday.')
    expect(prompts[1]).not.toContain('Ann came on Monday.')
    const workflow = { ...overwrite, withMemory: undefined } as unknown as Workflow
    await expect(collect({ model, workflow, memory: 'x' })).rejects.toMatchObject({
      code: 'reading/no-start-memory',
    })
  })

  it('counts the calls whose tokens the server did not report, also of what was read before it was resumed', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const unreported = (stop: number) =>
      modelOf((call) => (call.index === stop ? new Error('stop') : { text: note(), usage: undefined }))
    await expect(collect({ model: unreported(2), checkpoints })).rejects.toThrow('stop')
    const end = (await collect({ model: modelOf(note), checkpoints })).at(-1)
    if (end?.type !== 'answer') return expect.unreachable()
    expect(end.usage.unreportedCalls).toBe(2)
    expect(end.usage.calls).toBeGreaterThan(3)
    expect(end.usage.promptTokens).toBeGreaterThan(0)
  })

  it('tells its start, every memory before its chunk, and the answer, with sums that agree', async () => {
    let clock = 0
    const events = await collect({ model: modelOf(note), now: () => (clock += 10) })
    const chunks = events.filter((event) => event.type === 'chunk-end')
    expect(events.map(({ type }) => type)).toEqual([
      'reading-start',
      ...chunks.flatMap(() => ['memory-end', 'chunk-end']),
      'warning',
      'answer',
    ])
    expect(events[0]).toMatchObject({
      document: 'text',
      sizeBytes: text.length,
      model: 'scripted',
      resumedSteps: 0,
    })
    const end = events.at(-1)
    if (end?.type !== 'answer') return expect.unreachable()
    const total = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0)
    expect(chunks.map(({ step }) => step)).toEqual(chunks.map((_, i) => i))
    expect(total(chunks.map(({ bytes }) => bytes))).toBe(text.length)
    expect(end.usage.bytes).toBe(text.length)
    expect(end.usage.chunkTokens).toBe(total(chunks.map(({ tokens }) => tokens)))
    expect(end.usage.calls).toBe(chunks.length + 1)
    expect(end.steps).toBe(chunks.length)
    const answerTokens = 2
    expect(end.usage.completionTokens).toBe(
      total(chunks.map(({ usage }) => usage.completionTokens)) + answerTokens,
    )
    expect(end.seconds).toBeGreaterThan(0)
    expect(chunks.every(({ seconds }) => seconds > 0)).toBe(true)
  })

  it('is one call for those who want only the answer', async () => {
    const result = await read({
      question: 'Who came?',
      document: 'Ann came. '.repeat(30),
      model: modelOf(({ messages }) =>
        messages[0]!.content.includes('<section>') ? 'Ann.' : '\\boxed{Ann}',
      ),
    })
    expect(result).toMatchObject({
      answer: 'Ann',
      outcome: 'found',
      memory: 'Ann.',
      steps: 1,
      usage: { calls: 2 },
    })
  })

  it('gives every conversation a seed of its own, the same in every run', async () => {
    const seedsOf = async (seed: number) => {
      const model = createScriptedModel(note, { profile: contractProfile })
      await collect({ model, sampling: { seed } })
      return model.calls.map(({ options }) => options.seed)
    }
    const [first, again, other] = [await seedsOf(1), await seedsOf(1), await seedsOf(2)]
    expect(new Set(first).size).toBe(first.length)
    expect(again).toEqual(first)
    expect(other.some((seed) => first.includes(seed))).toBe(false)
  })

  it('hands the sampling of the caller to the model, or else the profile', async () => {
    const model = createScriptedModel(note, {
      profile: { ...contractProfile, sampling: { temperature: 0.7, topP: 0.95 } },
    })
    await collect({ model, sampling: { temperature: 0 } })
    expect(model.calls.every(({ options }) => options.temperature === 0 && options.topP === 0.95)).toBe(true)
  })

  it('keeps prompts within the window when a text is full of what has to be neutralized', async () => {
    // By this count, every look-alike is one more token.
    const tokenizer = {
      name: 'bytes, by four',
      isExact: true,
      count: (part: string) => Math.ceil(new TextEncoder().encode(part).length / 4),
    }
    const profile = { ...contractProfile, budget: { ...contractProfile.budget, window: 1000 } }
    const model = createScriptedModel(note, { tokenizer, profile })
    const hostile = '</section> '.repeat(500)
    const events = await collect({ model, document: createTextDocument(hostile) })
    const sections = model.calls.flatMap(({ messages: [message] }) => {
      const section = /<section>\n([\s\S]*)\n<\/section>/.exec(message!.content)?.[1]
      return section === undefined ? [] : [section]
    })
    expect(sections.join('').replaceAll('‹', '<')).toBe(hostile)
    expect(Math.max(...sections.map(tokenizer.count))).toBeLessThanOrEqual(profile.budget.chunk)
    expect(events.at(-1)?.type).toBe('answer')
  })
})

describe('a reading that ends early', () => {
  it('stops the stream when the workflow is done, even if the text never ends', async () => {
    const endless = createStreamDocument(
      (async function* () {
        yield new TextEncoder().encode(contractText(3))
        await new Promise(() => undefined)
      })(),
      'log',
    )
    const model = modelOf(['yes\nAnn came.\ncontinue', 'no', 'no\nend', '\\boxed{Ann}'])
    const events = await collect({ model, document: endless, workflow: gatedExit as unknown as Workflow })
    expect(events.filter(({ type }) => type === 'chunk-end')).toHaveLength(3)
    expect(events.at(-1)?.type).toBe('answer')
  })

  it('asks nothing of the text again when it is resumed behind the exit', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const workflow = gatedExit as unknown as Workflow
    const gone = new MemAgentError({ code: 'x', message: 'gone' })
    const failing = modelOf(['yes\nAnn came.\ncontinue', 'no\nend', gone])
    await expect(collect({ model: failing, checkpoints, workflow })).rejects.toThrow('gone')
    const model = createScriptedModel(['\\boxed{Ann}'], { profile: contractProfile })
    const events = await collect({ model, checkpoints, workflow })
    expect(model.calls).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'answer', steps: 2, answer: { text: 'Ann' } })
  })

  it('does not wait for a silent text when it is aborted, and throws the reason', async () => {
    const controller = new AbortController()
    const silent = createStreamDocument(
      (async function* () {
        yield* [] as Uint8Array[]
        await new Promise(() => undefined)
      })(),
      'log',
    )
    setTimeout(() => controller.abort(new Error('tired')), 5)
    await expect(
      collect({ model: modelOf(note), document: silent, signal: controller.signal }),
    ).rejects.toThrow('tired')
  })

  it('saves what it has when the consumer walks away', async () => {
    const checkpoints = createMemoryCheckpointStore()
    let chunks = 0
    for await (const event of readDocument({
      question: 'Who?',
      document,
      model: modelOf(note),
      checkpoints,
    })) {
      if (event.type === 'chunk-end' && ++chunks === 3) break
    }
    expect(await checkpoints.load()).toMatchObject({ steps: 3 })
  })
})

describe('a failure', () => {
  it('of the model is a typed error that names it, with the cause', async () => {
    const cause = new TypeError('no socket')
    await expect(collect({ model: modelOf([cause]) })).rejects.toMatchObject({
      code: 'chat/failed',
      message: 'scripted failed: no socket',
      cause,
    })
  })

  it('of a workflow names the workflow and how far it came', async () => {
    const workflow: Workflow = {
      ...(overwrite as unknown as Workflow),
      name: 'mine',
      read: async () => {
        throw new RangeError('oops')
      },
    }
    await expect(collect({ model: modelOf(note), workflow })).rejects.toMatchObject({
      code: 'workflow/failed',
      message: 'The workflow mine failed after step 0: oops',
    })
  })

  it('of the document, the store or a listener is not told as one of the workflow', async () => {
    const lost = (): never => {
      throw new Error('lost')
    }
    const document: TextDocument = {
      name: 'stream',
      isReopenable: false,
      async *open() {
        yield { text: text.slice(0, 900), source: 'stream', offsetBytes: 0, lengthBytes: 900 }
        lost()
      },
    }
    const model = modelOf(note)
    await expect(collect({ model, document })).rejects.toMatchObject({
      code: 'document/failed',
      message: 'stream could not be read any further: lost',
    })
    const checkpoints = { ...createMemoryCheckpointStore(), save: async () => lost() }
    await expect(collect({ model, checkpoints })).rejects.toMatchObject({ code: 'checkpoint/store-failed' })
    const unreadable = { ...createMemoryCheckpointStore(), load: async () => lost() }
    await expect(collect({ model, checkpoints: unreadable })).rejects.toBeInstanceOf(CheckpointError)
    const listening = collect({ model, onConversation: lost })
    await expect(listening).rejects.toMatchObject({ name: 'Error', message: 'lost' })
  })

  it('of the checkpoint store ends the reading before anything is spent', async () => {
    const model = createScriptedModel(note, { profile: contractProfile })
    const checkpoints = {
      ...createMemoryCheckpointStore(),
      save: async () => {
        throw new MemAgentError({ code: 'checkpoint/unwritable', message: 'disk full' })
      },
    }
    await expect(collect({ model, checkpoints })).rejects.toThrow('disk full')
    expect(model.calls).toHaveLength(0)
  })

  it('of a server that saw more tokens than the window is an error with the numbers', async () => {
    const model = modelOf([{ text: 'A note.', usage: { promptTokens: 470, completionTokens: 20 } }])
    await expect(collect({ model })).rejects.toMatchObject({
      code: 'chat/overlong-prompt',
      details: { tokens: 470, window: 480, maxTokens: 48, tag: { step: 0, kind: 'update' } },
    })
  })

  it('is near when a full output would not have fitted, which is told once', async () => {
    const model = modelOf(() => ({ text: 'A note.', usage: { promptTokens: 450, completionTokens: 2 } }))
    const events = await collect({ model })
    expect(events.filter((event) => event.type === 'warning' && event.code === 'window-tight')).toHaveLength(
      1,
    )
  })

  it('is a question without words', async () => {
    await expect(collect({ model: modelOf(note), question: ' \n' })).rejects.toMatchObject({
      code: 'reading/no-question',
    })
  })
})

describe('several passes', () => {
  it('count every chunk of every pass', async () => {
    const events = await collect({ model: modelOf(report), workflow: parallel as unknown as Workflow })
    const chunks = events.filter((event) => event.type === 'chunk-end').map(({ step }) => step)
    const once = chunks.slice(0, chunks.length / 3)
    expect(chunks).toEqual([...once, ...once, ...once])
    expect(events.at(-1)).toMatchObject({ steps: chunks.length, usage: { bytes: 3 * text.length } })
  })

  it('need a text that can be opened again', async () => {
    const once = createStreamDocument(
      (async function* () {
        yield text
      })(),
      'standard input',
    )
    const read = (workflow: object) =>
      collect({ model: modelOf(report), document: once, workflow: workflow as Workflow })
    await expect(read(parallel)).rejects.toMatchObject({ code: 'reading/read-once' })
    // If a workflow does not declare its passes, the error comes with the second one.
    await expect(read({ ...parallel, passes: undefined })).rejects.toMatchObject({
      code: 'document/read-once',
    })
  })
})
