/** What becomes of a memory of lines: responses of every kind, a full memory, and what the prompts hold. The rest is in the contract. */
import { describe, expect, it } from 'vitest'
import type { ChatResult } from '../chat/chat.ts'
import { createScriptedModel, type ScriptedReply } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import type { ReadingEvent } from '../reading/events.ts'
import type { ReadingOptions } from '../reading/options.ts'
import { readDocument } from '../reading/reader.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { rehearseSteps } from '../testing/rehearsal.ts'
import { edits } from './edits.ts'
import type { Json, Workflow } from './workflow.ts'

const text = Array.from({ length: 40 }, (_, i) => `Sentence ${i} has exactly six words.`).join(' ')
const profile = { ...contractProfile, budget: { ...contractProfile.budget, window: 600 } }

/** Four chunks, and the answer. */
async function readWith(
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
    shown: prompts.map((prompt) => /<memory>\n(.*?)\n<\/memory>/s.exec(prompt)?.[1]),
    kinds: events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
    memories: events.filter((event) => event.type === 'memory-end'),
    warnings: events.filter((event) => event.type === 'warning'),
    answer: last?.type === 'answer' ? last : undefined,
  }
}

describe('the edits workflow', () => {
  it('shows lines with ids, leaves alone what is not named, and answers from the lines alone', async () => {
    const { shown, prompts, memories, answer } = await readWith([
      '+ Ann came.\n+ Bob came.',
      'none',
      '= #1 Ann left.\n+ Cay came.\n- #2',
      '+ Dan came.',
      '\\boxed{Ann}',
    ])
    expect(shown).toEqual([
      'No lines yet',
      '#1 Ann came.\n#2 Bob came.',
      '#1 Ann came.\n#2 Bob came.',
      '#1 Ann left.\n#3 Cay came.',
      'Ann left.\nCay came.\nDan came.',
    ])
    expect(prompts[4]).not.toContain('<section>')
    expect(memories.map(({ memory, changed, origin }) => [memory, changed, origin])).toEqual([
      ['Ann came.\nBob came.', true, 'sampled'],
      ['Ann came.\nBob came.', false, 'sampled'],
      ['Ann left.\nCay came.', true, 'sampled'],
      ['Ann left.\nCay came.\nDan came.', true, 'sampled'],
    ])
    expect(answer).toMatchObject({ answer: { text: 'Ann', outcome: 'found' }, steps: 4 })
    expect(answer?.usage).toMatchObject({ calls: 5, keptMemories: 0 })
  })

  it('ignores what is there already, and counts it', async () => {
    const { memories, warnings } = await readWith([
      '+ Ann came.',
      '+ Ann came.\n+ Bob came.\n+ Bob  came.',
      '= #1 Ann came.',
      'none',
      '\\boxed{x}',
    ])
    expect(memories.map(({ memory, edits }) => [memory, edits?.repeated])).toEqual([
      ['Ann came.', 0],
      ['Ann came.\nBob came.', 2],
      ['Ann came.\nBob came.', 1],
      ['Ann came.\nBob came.', 0],
    ])
    expect(warnings).toEqual([])
  })

  it('says "not in the text" without a call when nothing was noted', async () => {
    const { prompts, answer } = await readWith(['none', 'None.', '+ Ann came.', '-#1'])
    expect(prompts).toHaveLength(4)
    expect(answer).toMatchObject({ answer: { text: '', outcome: 'not-found' }, memory: '' })
  })

  it('takes notes without a question, with prompts that speak of none', async () => {
    const { states, conversations } = await rehearseSteps(edits, {
      respond: ({ chunk, conversation: { tag } }) =>
        tag.kind === 'consolidate' ? '-#1\n-#2' : `+ Chunk ${chunk} is ${'long '.repeat(8)}`,
      chunks: 8,
      question: undefined,
    })
    expect(new Set(conversations.map(({ tag }) => tag.kind))).toEqual(new Set(['update', 'consolidate']))
    for (const { messages } of conversations) expect(messages[0]?.content).not.toContain('problem')
    expect(edits.memory(states.at(-1)!)).toContain('Chunk 7 is long')
  })

  it('keeps a start memory, or of one over its budget what fits, with a warning', async () => {
    const none = ['none', 'none', 'none', 'none', '\\boxed{x}']
    const small = await readWith(none, { memory: ' Ann came.\n\nBob came.\nAnn came.\n' })
    expect(small.shown[0]).toBe('#1 Ann came.\n#2 Bob came.')
    expect(small.kinds).toEqual([])
    const large = await readWith(none, { memory: `Ann came.\n${'word '.repeat(100)}\nBob came.` })
    expect(large.shown[0]).toBe(`#1 Ann came.\n#2 ${'word '.repeat(44).trim()}`)
    expect(large.kinds).toEqual(['memory-full'])
    expect(large.shown.slice(1, 4)).toEqual([large.shown[0], large.shown[0], large.shown[0]])
  })
})

const cut = { unified: 'length', raw: 'length' } as const
const filtered = { unified: 'refusal', raw: 'content_filter' } as const
const untold = { unified: 'other', raw: undefined } as const
const tokens = (completionTokens: number) => ({ promptTokens: 1, completionTokens })

/** Every way to break the form, with the code of its warning; undefined where the response is good. */
const responses: readonly (readonly [name: string, reply: ScriptedReply, code: string | undefined])[] = [
  ['nothing', '', 'memory-empty'],
  ['white space', ' \n\t ', 'memory-empty'],
  ['reasoning alone', { text: '', reasoning: 'Let me think.', finishReason: cut }, 'memory-empty'],
  ['a refusal by the server', { text: '+ Bob came.', finishReason: filtered }, 'memory-refused'],
  ['a refusal in words', "I'm sorry, but I can't help with that.", 'memory-refused'],
  ['edits cut by the limit', { text: '+ Bob came.\n+ Cay', finishReason: cut }, 'edits-cut'],
  ['"none" cut by the limit', { text: 'none', finishReason: cut }, 'edits-cut'],
  [
    'a full response whose end nobody tells',
    { text: '+ Bob', finishReason: untold, usage: tokens(48) },
    'edits-cut',
  ],
  ['a memory rewritten as a text', 'Ann came. Bob came, too.', 'edits-malformed'],
  ['a memory rewritten with its ids', '#1 Ann came.\n#2 Bob came.', 'edits-malformed'],
  ['a list', '- Ann came.\n- Bob came.', 'edits-malformed'],
  ['a numbered list', '1. Ann came.\n2. Bob came.', 'edits-malformed'],
  ['a bare value', '-1', 'edits-malformed'],
  ['words before edits', 'Updated memory:\n+ Bob came.', 'edits-malformed'],
  ['words behind edits', '+ Bob came.\nThat is all.', 'edits-malformed'],
  ['edits in the midst of words', 'Sure!\n```\n+ Bob came.\n```\nDone.', 'edits-malformed'],
  ['other words for nothing', 'No changes are needed.', 'edits-malformed'],
  ['nothing and something', 'none\n+ Bob came.', 'edits-malformed'],
  ['a line that says nothing', '+ none', 'edits-malformed'],
  ['an empty line added', '+ Bob came.\n+', 'edits-malformed'],
  ['an unknown id', '+ Bob came.\n- #7', 'edits-malformed'],
  ['an id of its own response', '+ Bob came.\n= #2 Bob left.', 'edits-malformed'],
  ['an id twice', '= #1 Ann left.\n- #1', 'edits-malformed'],
  ['several ids at once', '- #1, #2', 'edits-malformed'],
  ['an id without its sign', '= 1 Ann left.', 'edits-malformed'],
  ['an edit in words', 'REPLACE #1 Ann left.', 'edits-malformed'],
  ['an edit as a patch', '- Ann came.\n+ Ann left.', 'edits-malformed'],
  ['JSON', '[{"add": "Bob came."}]', 'edits-malformed'],
  ['tags', '<memory>\n+ Bob came.\n</memory>', 'edits-malformed'],
  ['an answer', '\\boxed{Ann}', 'edits-malformed'],
  ['edits', '+ Bob came.', undefined],
  ['edits in a fence', '```\n+ Bob came.\n```', undefined],
  ['edits with empty lines between', '\n+ Bob came.\n\n+ Cay came.\n', undefined],
  ['nothing in a sentence of its own', '**None.**', undefined],
]

describe('a model that breaks the form', () => {
  it.each(responses)('writes %s', async (_, reply, code) => {
    const { memories, warnings, answer, shown } = await readWith([
      '+ Ann came.',
      reply,
      'none',
      'none',
      '\\boxed{x}',
    ])
    const isGood = code === undefined
    expect(memories[1]).toMatchObject({ origin: isGood ? 'sampled' : 'kept', previous: 'Ann came.' })
    expect(answer?.usage.keptMemories).toBe(isGood ? 0 : 1)
    expect(warnings.map((warning) => warning.code)).toEqual(isGood ? [] : [code])
    if (isGood) return
    expect(warnings[0]).toMatchObject({ step: 1, malformed: { step: 1, kind: 'update' } })
    expect(memories[1]).toMatchObject({ memory: 'Ann came.', changed: false })
    expect(shown[2]).toBe('#1 Ann came.')
    // An answer that was found is not put in doubt by one lost chunk; "not in the text" is.
    expect(answer?.answer.outcome).toBe('found')
  })

  it('in every step is an error that names the reason, and no "not in the text"', async () => {
    const bad = responses.flatMap(([, reply, code]) => (code === 'edits-malformed' ? [reply] : []))
    await expect(readWith(bad.slice(0, 4))).rejects.toMatchObject({
      code: 'chat/nothing-said',
      message: expect.stringContaining('not in the form that the workflow asks for'),
      hint: expect.stringContaining('--workflow overwrite'),
    })
    const { answer } = await readWith(bad.slice(4, 8), { acceptsSilence: true })
    expect(answer?.answer).toEqual({ text: '', outcome: 'unsure', isUnusable: true })
  })

  it('in one step puts "not in the text" in doubt', async () => {
    const { answer } = await readWith(['none', 'What a day.', 'none', 'none'])
    expect(answer?.answer.outcome).toBe('unsure')
    expect(answer?.warnings).toMatchObject([{ code: 'edits-malformed', count: 1, touchesAnswer: true }])
  })
})

describe('a memory over its budget', () => {
  const line = (name: string, words: number) => `${name} ${'x '.repeat(words - 1)}`.trim()
  /** 40 of 48 tokens, with the ids. */
  const full = `+ ${line('A', 19)}\n+ ${line('B', 19)}`
  const consolidate = async (update: string, reply: ScriptedReply, more: Partial<ChatResult> = {}) => {
    const replies = [full, update, typeof reply === 'string' ? { text: reply, ...more } : reply]
    const read = await readWith([...replies, 'none', 'none', '\\boxed{x}'])
    return { ...read, after: read.memories[1]!.memory.split('\n').map((one) => one.slice(0, 3).trim()) }
  }

  it('is consolidated once, with edits of all of its lines, new ones too', async () => {
    const { prompts, shown, after, memories, kinds, answer } = await consolidate(
      `+ ${line('C', 20)}`,
      `=#3 C y\n-#1`,
    )
    expect(prompts[2]).toMatch(/too long/)
    expect(prompts[2]).not.toContain('<section>')
    expect(shown[2]).toBe(`#1 ${line('A', 19)}\n#2 ${line('B', 19)}\n#3 ${line('C', 20)}`)
    expect(after).toEqual(['B x', 'C y'])
    expect(memories).toHaveLength(4)
    expect(memories[1]?.edits).toEqual({ repeated: 0, refused: 0 })
    expect(kinds).toEqual([])
    expect(answer?.usage).toMatchObject({ calls: 6, keptMemories: 0 })
  })

  it('has no room for new lines that still do not fit; others have', async () => {
    const { after, memories, warnings } = await consolidate(
      `+ ${line('C', 20)}\n+ D\n+ ${line('E', 9)}`,
      'none',
    )
    expect(after).toEqual(['A x', 'B x', 'D'])
    expect(memories[1]?.edits).toEqual({ repeated: 0, refused: 2 })
    expect(warnings).toMatchObject([{ code: 'memory-full', message: expect.stringContaining('2 new lines') }])
  })

  it.each<[string, ScriptedReply]>([
    ['is no edit', 'A and B.'],
    ['is empty', ''],
    ['is cut', { text: '-#1', finishReason: cut }],
    ['is refused', { text: '', finishReason: filtered }],
    ['names another line', '-#9'],
  ])('is as long as it was when the response %s, and what fits is added', async (_, reply) => {
    const { after, memories, warnings, answer } = await consolidate(`+ ${line('C', 20)}\n+ D`, reply)
    expect(after).toEqual(['A x', 'B x', 'D'])
    expect(memories[1]).toMatchObject({ origin: 'sampled', edits: { repeated: 0, refused: 1 } })
    expect(warnings).toMatchObject([
      { code: 'consolidation-failed', malformed: { step: 1, kind: 'consolidate' } },
      { code: 'memory-full' },
    ])
    expect(warnings[0]).not.toHaveProperty('touchesAnswer')
    expect(answer?.usage.keptMemories).toBe(0)
  })

  it('stays as it was when its own lines would not fit', async () => {
    const { after, memories, warnings } = await consolidate(`=#1 ${line('C', 40)}`, 'none')
    expect(after).toEqual(['A x', 'B x'])
    expect(memories[1]?.edits).toEqual({ repeated: 0, refused: 1 })
    expect(warnings).toMatchObject([{ code: 'memory-full', message: expect.stringContaining('1 edit ') }])
  })
})
