/** What gates do to a memory and to a reading. Their grammar has tests of its own; the rest is in the contract. */
import { describe, expect, it } from 'vitest'
import { createOpenAICompatibleModel } from '../../chat/openai-compatible.ts'
import type { ScriptedReply } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import { createMemoryCheckpointStore } from '../../reading/checkpoint.ts'
import { read } from '../../reading/read.ts'
import { rehearse } from '../../testing/rehearsal.ts'
import { createStubServer } from '../../testing/stub-server.ts'
import { readingWith } from '../testing/scripted-reading.ts'
import type { Workflow } from '../workflow.ts'
import { gated, gatedExit } from './gated.ts'

const readWith = readingWith(gated)
const readWithExit = readingWith(gatedExit)
const yes = (memory: string, exit: 'continue' | 'end' = 'continue') => `yes\n${memory}\n${exit}`

describe('the update gate', () => {
  it('stays shut where what it lets in only says that nothing is new', async () => {
    const nothing = yes('No new relevant information was found in this section; the memory stays unchanged.')
    const { memories, answer } = await readWith([yes('Ann came.'), nothing, nothing, nothing, '\\boxed{Ann}'])
    expect(memories.map(({ memory, origin }) => [memory, origin])).toEqual(
      Array(4).fill(['Ann came.', 'sampled']),
    )
    expect(answer).toMatchObject({ answer: { outcome: 'found' }, warnings: [] })
  })

  it('lets a new memory in, or leaves the old one as it is, byte for byte', async () => {
    const { shown, prompts, memories, answer } = await readWith([
      'no',
      yes('Ann  came.\n\tBob "left".'),
      'no',
      yes('Ann came.'),
      '\\boxed{Ann}',
    ])
    const noted = 'Ann  came.\n\tBob "left".'
    expect(shown).toEqual(['No previous memory', 'No previous memory', noted, noted, 'Ann came.'])
    expect(prompts[4]).not.toContain('<section>')
    expect(
      memories.map(({ memory, changed, origin, gates }) => [memory, changed, origin, gates?.update]),
    ).toEqual([
      ['', false, 'sampled', false],
      [noted, true, 'sampled', true],
      [noted, false, 'sampled', false],
      ['Ann came.', true, 'sampled', true],
    ])
    expect(answer).toMatchObject({ answer: { text: 'Ann', outcome: 'found' }, steps: 4, warnings: [] })
    expect(answer?.usage).toMatchObject({ calls: 5, keptMemories: 0 })
  })

  it('takes notes without a question, with prompts that speak of none, and never ends them early', async () => {
    const replies = [yes('Ann came.', 'end'), 'no\nend', 'no', 'no']
    const { notes, prompts } = await readWithExit(replies, { question: undefined })
    expect(notes).toMatchObject({ memory: 'Ann came.', steps: 4, warnings: [] })
    for (const prompt of prompts) expect(prompt).not.toMatch(/problem|\bend\b/)
  })
})

describe('the exit gate', () => {
  it('ends the reading where it may, and what was not read is told', async () => {
    const { prompts, memories, answer } = await readWithExit(['no', yes('Ann came.', 'end'), '\\boxed{Ann}'])
    expect(prompts).toHaveLength(3)
    expect(memories.map(({ gates }) => gates)).toEqual([
      { update: false, exit: false },
      { update: true, exit: true },
    ])
    expect(answer).toMatchObject({
      answer: { text: 'Ann', outcome: 'found' },
      steps: 2,
      warnings: [{ code: 'ended-early', touchesAnswer: false }],
    })
    expect(answer?.unread?.share).toBeGreaterThan(0.3)
  })

  it('ends it after a section without news, too', async () => {
    const { answer } = await readWithExit([yes('Ann came.'), 'no\nend', '\\boxed{Ann}'])
    expect(answer).toMatchObject({ answer: { outcome: 'found' }, memory: 'Ann came.', steps: 2 })
  })

  it('makes "not in the text" unsure: the rest was not read', async () => {
    const { answer } = await readWithExit([yes('Ann came.', 'end'), '\\boxed{not in the text}'])
    expect(answer).toMatchObject({
      answer: { text: '', outcome: 'unsure' },
      warnings: [{ code: 'ended-early', touchesAnswer: true }],
    })
  })

  it('opens on no empty memory: that is malformed, and reading goes on', async () => {
    for (const early of ['no\nend', yes('no previous memory', 'end')]) {
      const { answer, kinds } = await readWithExit([early, 'no', 'no', yes('Ann.', 'end'), '\\boxed{Ann}'])
      expect(kinds).toEqual(['gates-malformed'])
      expect(answer).toMatchObject({ answer: { text: 'Ann', outcome: 'found' }, steps: 4 })
    }
  })

  it('is read and passed over by a workflow that reads to the end', async () => {
    const { answer, memories } = await readWith([yes('Ann came.', 'end'), 'no', 'no', 'no', '\\boxed{Ann}'])
    expect(answer).toMatchObject({ steps: 4, warnings: [] })
    expect(answer?.unread).toBeUndefined()
    expect(memories[0]?.gates).toEqual({ update: true, exit: true })
  })

  it('of the other workflow has left no checkpoint to go on from', async () => {
    const rehearsal = { respond: () => yes('Ann came.', 'end'), checkpoints: createMemoryCheckpointStore() }
    const stopped = rehearse({ ...rehearsal, workflow: gatedExit as unknown as Workflow, failAtCall: 1 })
    await expect(stopped).rejects.toThrow('the model is gone')
    await expect(rehearse({ ...rehearsal, workflow: gated as unknown as Workflow })).rejects.toMatchObject({
      code: 'checkpoint/of-another-run',
      details: { differing: ['workflow'] },
    })
  })
})

const cut = { unified: 'length', raw: 'length' } as const
const filtered = { unified: 'refusal', raw: 'content_filter' } as const
const stopped = { unified: 'stop', raw: 'stop' } as const
const untold = { unified: 'other', raw: undefined } as const
const usage = { promptTokens: 1, completionTokens: 48 }

/** Every way to break the form, with the code of its warning. */
const responses: readonly (readonly [name: string, reply: ScriptedReply, code: string])[] = [
  ['nothing', '', 'memory-empty'],
  ['reasoning alone', { text: '', reasoning: 'yes\nBob.\nend', finishReason: cut }, 'memory-empty'],
  ['a refusal by the server', { text: yes('Bob came.'), finishReason: filtered }, 'memory-refused'],
  ['a refusal in words', "I'm sorry, but I can't help with that.", 'memory-refused'],
  ['a memory cut by the limit', { text: 'yes\nBob came.\nend', finishReason: cut }, 'gates-cut'],
  ['"no" cut by the limit', { text: 'no', finishReason: cut }, 'gates-cut'],
  ['a full response whose end nobody tells', { text: yes('Bob'), finishReason: untold, usage }, 'gates-cut'],
  // From a server that counts differently.
  ['a memory over its budget', { text: yes('word '.repeat(60)), finishReason: stopped }, 'gates-cut'],
  ['a memory without gates', 'Ann came. Bob came, too.', 'gates-malformed'],
  ['an exit alone', 'end', 'gates-malformed'],
  ['no closing gate', 'yes\nBob came.', 'gates-malformed'],
  ['words around the gates', 'Sure!\nyes\nBob came.\nend', 'gates-malformed'],
  ['the tags of the paper', '<check>no</check><next>end</next>', 'gates-malformed'],
]

describe('a model that breaks the form', () => {
  it.each(responses)('with %s', async (_, reply, code) => {
    for (const reading of [readWith, readWithExit]) {
      const replies = [yes('Ann came.'), reply, 'no', 'no', '\\boxed{x}']
      const { memories, warnings, answer, shown } = await reading(replies)
      expect(warnings).toMatchObject([{ code, step: 1, malformed: { step: 1, kind: 'update' } }])
      expect(memories[1]).toMatchObject({ memory: 'Ann came.', changed: false, origin: 'kept' })
      expect(memories[1]).not.toHaveProperty('gates')
      expect(shown[2]).toBe('Ann came.')
      // A lost chunk does not end the reading, nor does it put an answer that was found in doubt.
      expect(answer).toMatchObject({ answer: { outcome: 'found' }, steps: 4, usage: { keptMemories: 1 } })
    }
  })
})

it('nothing of what a model thinks gets into the memory', async () => {
  const thought = '<think>\nno\nend\nIs it Bob?\n</think>'
  const server = await createStubServer({
    respond: ({ messages }) =>
      `${thought}\n${messages.at(-1)!.content.includes('<section>') ? yes('Ann came.') : '\\boxed{Ann}'}`,
  })
  try {
    const model = createOpenAICompatibleModel({ baseUrl: server.baseUrl, model: 'stub' })
    const document = createTextDocument('Ann came. Nobody left.')
    const result = await read({ question: 'Who came?', document, model, workflow: gated })
    expect(result).toMatchObject({ answer: 'Ann', memory: 'Ann came.', warnings: [] })
  } finally {
    await server.close()
  }
})

describe.each([
  ['gated', gated],
  ['gated-exit', gatedExit],
])('%s', (_, workflow) => {
  it('goes on from no state that it cannot have', () => {
    const state = { question: 'Who?', memory: 'Ann came.', steps: 2 }
    const isState = (change: object, endedEarly = false) =>
      workflow.isState({ ...state, ...change } as never, { question: 'Who?', steps: 2, endedEarly })
    expect(isState({})).toBe(true)
    expect(isState({ memory: null })).toBe(true)
    for (const memory of ['', ' Ann', 'Ann\n', 7]) expect(isState({ memory })).toBe(false)
    expect(isState({ steps: 3 })).toBe(false)
    expect(isState({ question: null })).toBe(false)
    expect(isState({}, true)).toBe(workflow === gatedExit)
    expect(isState({ memory: null }, true)).toBe(false)
    const notes = { question: undefined, steps: 2, endedEarly: true }
    expect(workflow.isState({ ...state, question: null } as never, notes)).toBe(false)
  })
})
