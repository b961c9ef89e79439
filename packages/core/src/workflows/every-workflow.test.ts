/** What workflows do alike, each with responses in its own form. */
import { describe, expect, it } from 'vitest'
import type { Message } from '../chat/message.ts'
import type { ScriptedCall } from '../chat/scripted.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { workflowNamed } from './registry.ts'
import { type ReadingChange, readingWith } from './testing/scripted-reading.ts'

interface Form {
  /** The response to a section with this news; `memory` is as the prompt shows it. */
  readonly noting: (news: string) => string
  /** To one without news. */
  readonly keeping: (memory: string) => string
  /** In no form. Where any text is a memory, only an empty one is. */
  readonly broken: string
  /** Says that nothing is noted; undefined if there is no way to say so. */
  readonly emptying?: string
}

const same = (text: string) => text
const rewritten = (memory: string) => `<update>${memory}</update>`
const gates = (memory: string) => `yes\n${memory}\ncontinue`
const broken = 'What a day.'
const forms: Readonly<Record<string, Form>> = {
  overwrite: { noting: same, keeping: same, broken: '', emptying: '"no previous memory."' },
  edits: { noting: (news) => `+ ${news}`, keeping: () => 'none', broken },
  gated: { noting: gates, keeping: () => 'no', broken, emptying: gates('No previous memory') },
  slots: { noting: same, keeping: () => 'unchanged', broken: '' },
  recall: { noting: rewritten, keeping: rewritten, broken, emptying: rewritten('No previous memory') },
  parallel: { noting: (news) => `yes\n${news}`, keeping: () => 'no', broken },
}

const { budget } = contractProfile
const between = (tag: string, { content }: Message) =>
  new RegExp(`<${tag}>\\n(.*?)\\n</${tag}>`, 's').exec(content)?.[1]

describe.each(Object.entries(forms))('%s', (name, { noting, keeping, broken, emptying }) => {
  /** Reads four chunks with these responses, and further ones without news. A merge keeps its reports. */
  const readWith = async (responses: readonly string[], more?: ReadingChange) => {
    let chunk = 0
    const reply = ({ messages: [message] }: ScriptedCall): string => {
      const [section, reports, memory] = ['section', 'reports', 'memory'].map((tag) => between(tag, message!))
      if (section === undefined) return reports ?? '\\boxed{not in the text}'
      return responses[chunk++] ?? keeping(memory!)
    }
    return readingWith(await workflowNamed(name))(reply, more)
  }

  it('says "not in the text" without a call when nothing was noted', async () => {
    const { prompts, answer } = await readWith([])
    expect(prompts).toHaveLength(4)
    expect(answer).toMatchObject({ answer: { text: '', outcome: 'not-found' }, memory: '', warnings: [] })
  })

  it('takes notes without a question, with prompts that speak of none', async () => {
    const { prompts, notes } = await readWith([noting('Ann came.')], { question: undefined })
    expect(notes?.memory).toContain('Ann came.')
    expect(notes?.warnings).toEqual([])
    for (const prompt of prompts) expect(prompt).not.toContain('problem')
  })

  it.skipIf(name === 'slots')('begins with a memory, or with what fits of it, which is told', async () => {
    const { shown, kinds, answer } = await readWith([], { memory: ' Ann came <memory>.\n' })
    expect(new Set(shown.map((memory) => memory?.replace('#1 ', '')))).toEqual(
      new Set(['Ann came ‹memory>.']),
    )
    expect(kinds).toEqual([])
    expect(answer?.answer.outcome).toBe('not-found')
    const guests = Array.from({ length: 60 }, (_, i) => `Guest ${i} came.`)
    const over = await readWith([], { memory: guests.join('\n') })
    expect(over.kinds[0]).toMatch(/^memory-(?:full|cut)$/)
    expect(over.shown[0]).toContain(guests[9])
    expect(over.shown[0]!.split(/\s+/).length).toBeLessThanOrEqual(budget.memory)
    expect(over.answer?.answer.outcome).toBe('unsure')
  })

  it('puts "not in the text" in doubt after a response in no form', async () => {
    const { answer } = await readWith([keeping('No previous memory'), broken])
    expect(answer?.answer.outcome).toBe('unsure')
    expect(answer?.warnings).toMatchObject([{ count: 1, touchesAnswer: true }])
  })

  it('fails where every response is in no form, or says nothing if that is accepted', async () => {
    await expect(readWith(Array(4).fill(broken))).rejects.toMatchObject({
      code: 'chat/nothing-said',
      hint: expect.stringContaining(broken === '' ? 'chat template' : '--workflow overwrite'),
      ...(broken && { message: expect.stringContaining('not in the form that the workflow asks for') }),
    })
    const { answer } = await readWith(Array(4).fill(broken), { acceptsSilence: true })
    expect(answer?.answer).toEqual({ text: '', outcome: 'unsure', isUnusable: true })
  })

  it.runIf(emptying)('gives up what was noted only where the model was trained to say so', async () => {
    const responses = [noting('Ann came.'), ...Array(3).fill(emptying)]
    const { memories, kinds, answer } = await readWith(responses)
    expect(memories.map(({ memory, origin }) => `${memory} ${origin}`)).toEqual([
      'Ann came. sampled',
      ...Array(3).fill('Ann came. kept'),
    ])
    expect(kinds).toEqual(Array(3).fill('memory-empty'))
    expect(answer).toMatchObject({ answer: { outcome: 'unsure' }, memory: 'Ann came.' })
    const profile = { ...contractProfile, budget: { ...budget, window: 600 }, workflows: [name] }
    const trained = await readWith(responses, { profile })
    expect([trained.kinds, trained.prompts.length]).toEqual([[], 4])
    expect(trained.answer).toMatchObject({ answer: { outcome: 'not-found' }, memory: '' })
  })
})
