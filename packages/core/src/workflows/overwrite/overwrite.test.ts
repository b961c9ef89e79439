/** What happens to an unusable memory, and what the prompts hold. The rest is in the contract. */
import { describe, expect, it } from 'vitest'
import { promptsFor } from '../prompts/prompts.ts'
import { readingWith, scriptedText } from '../testing/scripted-reading.ts'
import { overwrite } from './overwrite.ts'

const readWith = readingWith(overwrite)
const sectionOf = (prompt: string, name: string) =>
  prompt.split(`<${name}>`)[1]?.split(`</${name}>`)[0]?.trim()

describe('the overwrite workflow', () => {
  it('puts question, last memory and section in the prompt, and answers from the last memory alone', async () => {
    const { prompts, shown, answer } = await readWith([
      'One came.',
      'Two came.',
      'Three came.',
      'Four came.',
      '\\boxed{Ann}',
    ])
    expect(prompts).toHaveLength(5)
    expect(shown).toEqual(['No previous memory', 'One came.', 'Two came.', 'Three came.', 'Four came.'])
    expect(prompts.every((prompt) => sectionOf(prompt, 'problem') === 'Who?')).toBe(true)
    const sections = prompts.slice(0, 4).map((prompt) => sectionOf(prompt, 'section'))
    expect(sections.join(' ')).toBe(scriptedText)
    expect(prompts[4]).not.toContain('<section>')
    expect(answer).toMatchObject({
      answer: { text: 'Ann', outcome: 'found' },
      memory: 'Four came.',
      steps: 4,
    })
    expect(answer?.usage).toMatchObject({ calls: 5, keptMemories: 0, bytes: scriptedText.length })
  })

  it('bounds every call by the budget and offers the memory as a draft', async () => {
    const { calls } = await readWith(['a', 'b', 'c', 'd', '\\boxed{e}'])
    expect(calls.map(({ options }) => options.maxTokens)).toEqual([48, 48, 48, 48, 40])
    expect(calls.map(({ options }) => options.draft)).toEqual([
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
    expect(warnings).toMatchObject([
      { code: 'memory-empty', step: 1 },
      { code: 'memory-refused', step: 2 },
    ])
    expect(answer?.usage.keptMemories).toBe(2)
  })

  it('keeps the previous memory when the response says in words of its own that nothing is new', async () => {
    const nothing = 'No new relevant information was found; the memory stays unchanged.'
    const { memories, warnings, answer } = await readWith([
      'Ann came.',
      nothing,
      nothing,
      nothing,
      '\\boxed{not in the text}',
    ])
    expect(memories.at(-1)).toMatchObject({ memory: 'Ann came.', changed: false, origin: 'sampled' })
    expect([warnings, answer?.answer.outcome]).toEqual([[], 'not-found'])
  })

  it('keeps the previous memory when the model asks for a tool, whatever it wrote before', async () => {
    const tool = { text: 'Let me look.', finishReason: { unified: 'other', raw: 'tool_calls' } } as const
    const { memories, warnings, answer } = await readWith([
      'One.',
      'Two.',
      'Three.',
      tool,
      '\\boxed{not in the text}',
    ])
    expect(memories.at(-1)).toMatchObject({ memory: 'Three.', origin: 'kept' })
    expect(warnings).toMatchObject([{ code: 'memory-refused', message: expect.stringContaining('a tool') }])
    expect(answer?.answer.outcome).toBe('unsure')
  })

  it.each([
    [1, 'not in the text', 'unsure'],
    [1, 'x', 'found'],
    [3, 'x', 'unsure'],
  ])(
    'tells of a response, the one at step %i, whose end the server does not explain: %s is %s',
    async (at, said, outcome) => {
      const replies = ['One.', 'Two.', 'Three.', 'Four.', `\\boxed{${said}}`].map((text, i) => ({
        text,
        ...(i === at && { finishReason: { unified: 'other', raw: undefined } as const }),
      }))
      const { memories, warnings, answer } = await readWith(replies)
      expect(memories.at(-1)?.memory).toBe('Four.')
      expect(warnings).toMatchObject([{ code: 'memory-end-unknown', step: at }])
      expect(answer?.answer.outcome).toBe(outcome)
    },
  )

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
      const begun = await readWith([...Array(4).fill(thinking), '\\boxed{Ann}'], { memory: 'Ann came.' })
      expect(begun.answer?.answer.text).toBe('Ann')
    })
  })

  it('cuts a memory that reached its limit after the last whole sentence', async () => {
    const long = `${'One two three four. '.repeat(11)}Five six seven eight nine ten.`
    const { memories, warnings } = await readWith([long, 'b', 'c', 'd', '\\boxed{e}'])
    expect(memories[0]?.memory).toBe('One two three four. '.repeat(11).trim())
    expect(memories[0]).toMatchObject({ origin: 'sampled', tokens: 44 })
    expect(warnings).toMatchObject([{ code: 'memory-cut', step: 0 }])
  })

  it.each([
    ['no reason', { unified: 'other', raw: undefined }, ['memory-cut']],
    ['a reason of its own', { unified: 'other', raw: 'max_len' }, ['memory-cut']],
    ['that it stopped by itself', { unified: 'stop', raw: 'stop' }, []],
  ] as const)(
    'tells of a memory that took all of its tokens where a server gives %s',
    async (_, finishReason, codes) => {
      const full = { text: 'One two. Three', finishReason, usage: { promptTokens: 9, completionTokens: 48 } }
      const { memories, kinds } = await readWith([full, 'b', 'c', 'd', '\\boxed{e}'])
      expect(kinds).toEqual(codes)
      expect(memories[0]?.memory).toBe(codes.length > 0 ? 'One two.' : 'One two. Three')
    },
  )

  it('takes a cut memory without its last word when its only sentence end is early', async () => {
    const { memories } = await readWith([`Short. ${'word '.repeat(60)}`, 'b', 'c', 'd', '\\boxed{e}'])
    expect(memories[0]?.memory).toBe(`Short. ${'word '.repeat(46).trim()}`)
  })

  it('takes no longer for a memory of nothing but punctuation', async () => {
    const start = performance.now()
    const { memories } = await readWith([`a${'*'.repeat(200_000)}b`, 'b', 'c', 'd', '\\boxed{e}'])
    expect(memories[0]?.memory).toMatch(/^a\*+b$/)
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('never cuts a question: one that is too long is an error before the first call', async () => {
    await expect(readWith([], { question: 'why '.repeat(81) })).rejects.toMatchObject({
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
