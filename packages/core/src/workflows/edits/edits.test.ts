/**
 * How a memory of lines changes, and what the prompts hold. Broken responses have a file of their own; the rest is in the
 * contract.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ChatResult } from '../../chat/chat.ts'
import type { ScriptedReply } from '../../chat/scripted.ts'
import { rehearseSteps } from '../../testing/rehearsal.ts'
import { readingWith } from '../testing/scripted-reading.ts'
import { applyEdits, type Line, parseEdits, renderLines } from './edit-grammar.ts'
import { edits } from './edits.ts'

const readWith = readingWith(edits)

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
      '#1 Ann left.\n#3 Cay came.\n#2 Dan came.',
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

  it('changes a memory as the documents say', () => {
    const page = readFileSync(new URL('../../../../../docs/workflows.md', import.meta.url), 'utf8')
    const steps = /```text\n(> .*?)```/s.exec(page)![1]!.trim().split('\n\n')
    expect(steps).toHaveLength(4)
    let lines: readonly Line[] = []
    for (const step of steps) {
      const rows = step.split('\n')
      const response = rows.flatMap((row) => (row.startsWith('> ') ? row.slice(2) : []))
      const parsed = parseEdits(response.join('\n'), lines)
      if ('edits' in parsed) lines = applyEdits(lines, parsed.edits).lines
      expect(parsed).toHaveProperty('edits')
      expect(renderLines(lines).split('\n')).toEqual(rows.filter((row) => row.startsWith('#')))
    }
  })

  it('shows a line in the same way whatever other lines there are', async () => {
    const { shown } = await readWith([
      '+ Is x < memory or < / section?',
      '+ Is 3 > 2?',
      'none',
      'none',
      '\\boxed{x}',
    ])
    expect(shown[2]?.split('\n')[0]).toBe(shown[1])
    expect(shown[1]).toBe('#1 Is x ‹ memory or ‹ / section?')
  })

  it('goes on from no state that it cannot have', () => {
    const line = { id: 3, text: 'Ann came.' }
    const after = (lines: readonly unknown[], more: object = {}) =>
      edits.isState({ question: 'Who?', steps: 2, lines, ...more } as never, { question: 'Who?', steps: 2 })
    expect(after([line, { id: 1, text: 'Bob came.' }])).toBe(true)
    for (const id of [0, -1, 1.5, '3', 1_000_000_000]) expect(after([{ ...line, id }])).toBe(false)
    for (const text of [
      '',
      ' Ann',
      'Ann\ncame.',
      'Ann\u2028came.',
      'Ann\u0085came.',
      '#2 Ann',
      '-#2',
      '+ Ann',
      7,
    ]) {
      expect(after([{ ...line, text }])).toBe(false)
    }
    expect(after([line, { ...line, text: 'Bob came.' }])).toBe(false)
    expect(after([line, { ...line, id: 4 }])).toBe(false)
    expect(after([line], { steps: 3 })).toBe(false)
    expect(after([line], { question: null })).toBe(false)
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
    const alike = await readWith(none, { memory: 'a <memory> b\nAnn came.\na ‹memory> b' })
    expect(alike.shown[0]).toBe('#1 a ‹memory> b\n#2 Ann came.')
    expect(alike.shown[1]).toBe(alike.shown[0])
    const large = await readWith(none, { memory: `Ann came.\n${'word '.repeat(100)}\nBob came.` })
    expect(large.shown[0]).toBe('#1 Ann came.\n#3 Bob came.')
    expect(large.kinds).toEqual(['memory-full'])
    expect(large.shown.slice(1, 4)).toEqual([large.shown[0], large.shown[0], large.shown[0]])
  })
})

const cut = { unified: 'length', raw: 'length' } as const
const filtered = { unified: 'refusal', raw: 'content_filter' } as const

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
    expect(answer?.warnings.map(({ touchesAnswer }) => touchesAnswer)).toEqual([false, false])
    expect(answer?.usage.keptMemories).toBe(0)
  })

  it('shows as many new lines as the window has room for; others wait', async () => {
    const budget = { window: 60, question: 5, chunk: 6, memory: 24, output: 5 }
    const tight = { profile: { name: 'tight', prompts: 'compact', budget } }
    const replies = [`+ ${line('A', 20)}`, `+ ${line('B', 9)}\n+ ${line('C', 9)}`, '-#1']
    const { shown, memories } = await readWith([...replies, ...Array(40).fill('none')], tight)
    expect(shown[2]).toBe(`#1 ${line('A', 20)}\n#2 ${line('B', 9)}`)
    expect(memories[1]?.memory).toBe(`${line('B', 9)}\n${line('C', 9)}`)
  })

  it('puts "not in the text" in doubt when it had no room, and an answer not', async () => {
    const full = [`+ ${line('A', 40)}`, `+ ${line('B', 40)}`, 'none', 'none', 'none']
    const found = await readWith([...full, '\\boxed{x}'])
    expect(found.answer?.answer.outcome).toBe('found')
    const { answer } = await readWith([...full, '\\boxed{not in the text}'])
    expect(answer?.answer.outcome).toBe('unsure')
    expect(answer?.warnings).toMatchObject([{ code: 'memory-full', count: 1, touchesAnswer: true }])
  })

  it('is as long as it was when a line of before would go for one that has no room', async () => {
    const merged = line('AC', 36)
    for (const how of [`+ ${merged}\n-#1`, `=#3 ${merged}\n-#1`]) {
      const { after, memories, warnings } = await consolidate(`+ ${line('C', 20)}\n+ D`, how)
      expect(after).toEqual(['A x', 'B x', 'D'])
      expect(memories[1]).toMatchObject({ origin: 'sampled', edits: { repeated: 0, refused: 1 } })
      expect(warnings.map(({ code }) => code)).toEqual(['consolidation-failed', 'memory-full'])
      // The response was well-formed.
      expect(warnings[0]).not.toHaveProperty('malformed')
    }
  })

  it('counts an edit once, as repeated or as refused', async () => {
    const { memories } = await consolidate(`=#1 ${line('C', 40)}\n+ D\n+ D`, 'none')
    expect(memories[1]?.edits).toEqual({ repeated: 1, refused: 2 })
  })

  it('stays as it was when its own lines would not fit', async () => {
    const { after, memories, warnings } = await consolidate(`=#1 ${line('C', 40)}`, 'none')
    expect(after).toEqual(['A x', 'B x'])
    expect(memories[1]?.edits).toEqual({ repeated: 0, refused: 1 })
    expect(warnings).toMatchObject([{ code: 'memory-full', message: expect.stringContaining('1 edit ') }])
  })
})
