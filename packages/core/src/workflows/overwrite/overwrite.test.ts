/** What happens to an unusable memory, and what the prompts hold. The rest is in the contract. */
import { describe, expect, it } from 'vitest'
import { createScriptedModel, type ScriptedReply } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import type { ReadingEvent } from '../../reading/events.ts'
import type { ReadingOptions } from '../../reading/options.ts'
import { readDocument } from '../../reading/reader.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import { statedAnswer } from '../answer/final-answer.ts'
import { promptsFor } from '../prompts/prompts.ts'
import { overwrite } from './overwrite.ts'

const text = Array.from({ length: 40 }, (_, i) => `Sentence ${i} has exactly six words.`).join(' ')

async function readWith(
  replies: readonly ScriptedReply[],
  question = 'Who?',
  more: Pick<ReadingOptions, 'memory' | 'acceptsSilence' | 'profile'> = {},
) {
  const model = createScriptedModel(replies, { profile: contractProfile, contextWindow: 480 })
  const events: ReadingEvent[] = []
  for await (const event of readDocument({ question, document: createTextDocument(text), model, ...more }))
    events.push(event)
  const memories = events.filter((event) => event.type === 'memory-end')
  const warnings = events
    .filter((event) => event.type === 'warning')
    .map(({ code, step }) => ({ code, step }))
  const last = events.at(-1)
  return { model, memories, warnings, answer: last?.type === 'answer' ? last : undefined }
}
const sectionOf = (prompt: string, name: string) =>
  prompt.split(`<${name}>`)[1]?.split(`</${name}>`)[0]?.trim()

describe('the overwrite workflow', () => {
  it('puts question, last memory and section in the prompt, and answers from the last memory alone', async () => {
    const { model, answer } = await readWith([
      'One came.',
      'Two came.',
      'Three came.',
      'Four came.',
      '\\boxed{Ann}',
    ])
    const prompts = model.calls.map(({ messages }) => messages[0]!.content)
    expect(prompts).toHaveLength(5)
    expect(prompts.map((prompt) => sectionOf(prompt, 'memory'))).toEqual([
      'No previous memory',
      'One came.',
      'Two came.',
      'Three came.',
      'Four came.',
    ])
    expect(prompts.every((prompt) => sectionOf(prompt, 'problem') === 'Who?')).toBe(true)
    const sections = prompts.slice(0, 4).map((prompt) => sectionOf(prompt, 'section'))
    expect(sections.join(' ')).toBe(text)
    expect(prompts[4]).not.toContain('<section>')
    expect(answer).toMatchObject({
      answer: { text: 'Ann', outcome: 'found' },
      memory: 'Four came.',
      steps: 4,
    })
    expect(answer?.usage).toMatchObject({ calls: 5, keptMemories: 0, bytes: text.length })
  })

  it('bounds every call by the budget and offers the memory as a draft', async () => {
    const { model } = await readWith(['a', 'b', 'c', 'd', '\\boxed{e}'])
    expect(model.calls.map(({ options }) => options.maxTokens)).toEqual([48, 48, 48, 48, 40])
    expect(model.calls.map(({ options }) => options.draft)).toEqual([
      'No previous memory',
      'a',
      'b',
      'c',
      undefined,
    ])
  })

  it('keeps the previous memory when the response is empty or refused, and counts it', async () => {
    const refusal = { text: 'No.', finishReason: { unified: 'refusal', raw: 'safety' } } as const
    const { memories, warnings, answer } = await readWith([
      'One came.',
      '  \n',
      refusal,
      'Two came.',
      '\\boxed{2}',
    ])
    expect(memories.map(({ memory, origin, changed }) => [memory, origin, changed])).toEqual([
      ['One came.', 'sampled', true],
      ['One came.', 'kept', false],
      ['One came.', 'kept', false],
      ['Two came.', 'sampled', true],
    ])
    expect(warnings).toEqual([
      { code: 'memory-empty', step: 1 },
      { code: 'memory-refused', step: 2 },
    ])
    expect(answer?.usage.keptMemories).toBe(2)
  })

  describe('with no usable rewrite', () => {
    const thinking = {
      text: '',
      reasoning: 'Let me think',
      finishReason: { unified: 'length', raw: 'length' },
    } as const
    const refusal = { text: 'No.', finishReason: { unified: 'refusal', raw: 'safety' } } as const

    it.each([
      ['thinks too long', thinking, /thinking: switch thinking off .* larger --memory/],
      ['refuses', refusal, /refused/],
      ['says nothing', ' \n', /chat template/],
    ] as const)('are an error of the model, which %s', async (_, response, hint) => {
      await expect(readWith(Array(4).fill(response))).rejects.toMatchObject({
        code: 'chat/nothing-said',
        hint: expect.stringMatching(hint),
        details: { steps: 4 },
      })
    })

    it('is not silent if one step said that there is nothing, or there was a memory to begin with', async () => {
      const { answer } = await readWith([thinking, 'No previous memory', refusal, ' '])
      expect(answer?.answer).toEqual({ text: '', outcome: 'unsure' })
      const begun = await readWith([...Array(4).fill(thinking), '\\boxed{Ann}'], undefined, {
        memory: 'Ann came.',
      })
      expect(begun.answer?.answer.text).toBe('Ann')
    })

    it('is no error where silence is accepted, and not a "not in the text" either', async () => {
      const { answer } = await readWith(Array(4).fill(thinking), undefined, { acceptsSilence: true })
      expect(answer?.answer).toEqual({ text: '', outcome: 'unsure', isUnusable: true })
      expect(statedAnswer(answer!.answer)).toBe('')
    })
  })

  it('cuts a memory that reached its limit after the last whole sentence', async () => {
    const long = `${'One two three four. '.repeat(11)}Five six seven eight nine ten.`
    const { memories, warnings } = await readWith([long, 'b', 'c', 'd', '\\boxed{e}'])
    expect(memories[0]?.memory).toBe('One two three four. '.repeat(11).trim())
    expect(memories[0]).toMatchObject({ origin: 'sampled', tokens: 44 })
    expect(warnings).toEqual([{ code: 'memory-cut', step: 0 }])
  })

  it.each([
    ['no reason', { unified: 'other', raw: undefined }, ['memory-cut']],
    ['a reason of its own', { unified: 'other', raw: 'max_len' }, ['memory-cut']],
    ['that it stopped by itself', { unified: 'stop', raw: 'stop' }, []],
  ] as const)(
    'tells of a memory that took all of its tokens where a server gives %s',
    async (_, finishReason, codes) => {
      const full = { text: 'One two. Three', finishReason, usage: { promptTokens: 9, completionTokens: 48 } }
      const { memories, warnings } = await readWith([full, 'b', 'c', 'd', '\\boxed{e}'])
      expect(warnings.map(({ code }) => code)).toEqual(codes)
      expect(memories[0]?.memory).toBe(codes.length > 0 ? 'One two.' : 'One two. Three')
    },
  )

  it('takes a cut memory without its last word when its only sentence end is early', async () => {
    const { memories } = await readWith([`Short. ${'word '.repeat(60)}`, 'b', 'c', 'd', '\\boxed{e}'])
    expect(memories[0]?.memory).toBe(`Short. ${'word '.repeat(46).trim()}`)
  })

  it('says "not in the text" without a call when nothing was noted', async () => {
    const nothing = [
      'No previous memory',
      'no previous memory.',
      '"No previous memory"',
      'No previous memory',
    ]
    const { model, memories, answer } = await readWith(nothing)
    expect(model.calls).toHaveLength(4)
    expect(memories.every(({ memory, changed }) => memory === '' && !changed)).toBe(true)
    expect(answer).toMatchObject({ answer: { text: '', outcome: 'not-found' }, memory: '' })
  })

  describe('that has noted something', () => {
    const emptied = ['Ann keeps it.', 'No previous memory', '"no previous memory."', 'No previous memory']

    it('keeps it when the model says that there is nothing, and tells', async () => {
      const { memories, warnings, answer } = await readWith([...emptied, '\\boxed{not in the text}'])
      expect(memories.map(({ memory }) => memory)).toEqual(Array(4).fill('Ann keeps it.'))
      expect(memories.map(({ origin }) => origin)).toEqual(['sampled', 'kept', 'kept', 'kept'])
      expect(warnings).toEqual([1, 2, 3].map((step) => ({ code: 'memory-empty', step })))
      expect(answer).toMatchObject({ answer: { outcome: 'unsure' }, memory: 'Ann keeps it.' })
    })

    it('gives it up when a model that was trained for this says so', async () => {
      const profile = { ...contractProfile, workflows: ['overwrite'] }
      const { warnings, answer } = await readWith(emptied, 'Who?', { profile })
      expect(warnings).toEqual([])
      expect(answer).toMatchObject({ answer: { outcome: 'not-found' }, memory: '' })
    })
  })

  it('takes no longer for a memory of nothing but punctuation', async () => {
    const start = performance.now()
    const { memories } = await readWith([`a${'*'.repeat(200_000)}b`, 'b', 'c', 'd', '\\boxed{e}'])
    expect(memories[0]?.memory).toMatch(/^a\*+b$/)
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('says so too when the model finds no answer in the memory', async () => {
    const { answer } = await readWith(['a', 'b', 'c', 'd', 'It is \\boxed{not in the text}.'])
    expect(answer?.answer).toMatchObject({
      text: '',
      outcome: 'not-found',
      response: 'It is \\boxed{not in the text}.',
    })
  })

  it('uses a response without a box as it is, with a warning', async () => {
    const { answer, warnings } = await readWith(['a', 'b', 'c', 'd', ' Ann came. '])
    expect(answer?.answer).toMatchObject({ text: 'Ann came.', outcome: 'unsure' })
    expect(warnings).toEqual([{ code: 'answer-without-box', step: 4 }])
  })

  it('never cuts a question: one that is too long is an error before the first call', async () => {
    await expect(readWith([], 'why '.repeat(81))).rejects.toMatchObject({
      code: 'reading/question-too-long',
      details: { questionTokens: 81, budget: 80 },
    })
  })
})

describe('the default prompts', () => {
  it('have the structure of the paper', () => {
    const prompts = promptsFor(overwrite, 'paper')
    const [update] = prompts.messages('update', { question: 'Q?', memory: 'M.', section: 'S.' })
    expect(update?.content.slice(update.content.indexOf('<problem>'))).toBe(
      '<problem> \nQ?\n</problem>\n\n<memory>\nM.\n</memory>\n\n<section>\nS.\n</section>\n\nUpdated memory:\n',
    )
    const [answer] = prompts.messages('answer', { question: 'Q?', memory: 'M.' })
    expect(answer?.content.slice(answer.content.indexOf('<problem>'))).toBe(
      '<problem> \nQ?\n</problem>\n\n<memory>\nM.\n</memory>\n\nYour answer:\n',
    )
    expect(answer?.content).toContain('\\boxed{not in the text}')
  })
})
