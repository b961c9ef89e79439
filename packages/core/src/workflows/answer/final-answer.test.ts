/** How a final call may end, and what a reading makes of it: an answer, a doubt or a failure. */
import { describe, expect, it } from 'vitest'
import type { ChatResult } from '../../chat/chat.ts'
import { createScriptedModel } from '../../chat/scripted.ts'
import { ChatError, LimitError, NoAnswerError } from '../../errors.ts'
import { createMemoryCheckpointStore } from '../../reading/checkpoint.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import { ended, finish, length } from '../testing/final-responses.ts'
import { judgeResponse, statedAnswer } from './final-answer.ts'

const { budget } = contractProfile

/** Every form of a missing answer seen so far, with the code it fails with. */
const withoutAnswer: readonly (readonly [string, Partial<ChatResult>, string])[] = [
  ['nothing but reasoning, cut', { text: '', reasoning: 'Let me', finishReason: length }, 'answer-thinking'],
  [
    'nothing but reasoning',
    { text: ' ', reasoning: 'So it is Ann.', finishReason: ended('stop') },
    'answer-thinking',
  ],
  ['nothing, cut', { text: '', finishReason: length }, 'answer-cut'],
  ['nothing', { text: '', finishReason: ended('stop', 'stop') }, 'answer-empty'],
  ['white space', { text: ' \n', finishReason: ended('stop', 'stop') }, 'answer-empty'],
  ['a box that was cut', { text: 'It is \\boxed{4821', finishReason: length }, 'answer-cut'],
  [
    'a box that was cut, by a server that does not say so',
    { text: '\\boxed{4821', finishReason: ended('other') },
    'answer-cut',
  ],
  [
    'a box that was cut behind another',
    { text: '\\boxed{1}, no, \\boxed{4821', finishReason: length },
    'answer-cut',
  ],
  [
    'a sentence that was cut',
    { text: 'The code that Ann wrote down is 48', finishReason: length },
    'answer-cut',
  ],
  [
    'words about the box, cut',
    { text: 'I have to put the answer in \\boxed{}. The memory says that', finishReason: length },
    'answer-cut',
  ],
  ['"not in the text", cut', { text: 'It is not in the text', finishReason: length }, 'answer-cut'],
  [
    'a filtered response',
    { text: 'The code', finishReason: ended('refusal', 'content_filter') },
    'answer-refused',
  ],
  ['a refusal field', { text: 'I refuse.', finishReason: ended('refusal', 'stop') }, 'answer-refused'],
  [
    'a refusal as text',
    { text: "I'm sorry, I can't help with that.", finishReason: ended('stop') },
    'answer-refused',
  ],
  ['a call of a tool', { text: '', finishReason: ended('other', 'tool_calls') }, 'answer-tool-call'],
  [
    'words about a tool',
    { text: 'Let me look.', finishReason: ended('other', 'tool_calls') },
    'answer-tool-call',
  ],
]

describe.each(withoutAnswer)('a final response that is %s', (_, reply, code) => {
  it('is asked for once more, with all available room', async () => {
    const { model, codes, end } = await finish([reply, '\\boxed{4821}'])
    expect(end?.answer).toMatchObject({ text: '4821', outcome: 'found' })
    expect(codes).toEqual(['answer-asked-again'])
    const [, first, second] = model.calls
    expect(second?.messages).toEqual(first?.messages)
    expect(first?.options.maxTokens).toBe(budget.output)
    const room = budget.window - model.countPromptTokens(first!.messages)
    expect(second?.options.maxTokens).toBe(room)
    expect(room).toBeGreaterThan(budget.output)
    expect(second?.options.seed).not.toBe(first?.options.seed)
  })

  it('is given no more room than the caller allows', async () => {
    for (const mostAnswerTokens of [budget.output, budget.output + 7]) {
      const { model, error } = await finish([reply, reply], { mostAnswerTokens })
      expect(model.calls.slice(1).map(({ options }) => options.maxTokens)).toEqual([
        budget.output,
        mostAnswerTokens,
      ])
      expect((error as NoAnswerError).hint).not.toMatch(/window/)
      const isCut = code === 'answer-cut' || reply.finishReason?.unified === 'length'
      expect((error as NoAnswerError).details.mostAnswerTokens).toBe(isCut ? mostAnswerTokens : undefined)
    }
  })

  it('is a failure the second time, and the next run asks only for the answer', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const { error, end } = await finish([reply, reply], { checkpoints })
    expect(end).toBeUndefined()
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(error).toMatchObject({ code: `chat/${code}`, hint: expect.stringContaining('the answer alone') })
    const replies = ['\\boxed{4821}']
    const model = createScriptedModel(replies, { profile: contractProfile, contextWindow: 480 })
    const again = await finish([], { checkpoints, model })
    expect(again.error).toBeUndefined()
    expect(model.calls).toHaveLength(1)
    expect(again.end?.answer).toMatchObject({ text: '4821', outcome: 'found' })
    expect(again.end?.steps).toBe(1)
    expect(again.end?.usage.calls).toBe(4)
  })

  it('is accepted in training and measuring: no answer, and not a "not in the text"', async () => {
    const { model, codes, end } = await finish([reply], { acceptsSilence: true })
    expect(model.calls).toHaveLength(2)
    expect(codes).toEqual([code])
    expect(end?.answer).toMatchObject({ text: '', outcome: 'unsure', isUnusable: true })
    expect(statedAnswer(end!.answer)).toBe('')
    expect(end?.warnings).toMatchObject([{ code, touchesAnswer: true }])
  })
})

describe('an answer', () => {
  it.each([
    ['\\boxed{4821}', 'stop', { text: '4821', outcome: 'found' }, []],
    ['\\boxed{not in the text}', 'stop', { text: '', outcome: 'not-found' }, []],
    ['\\boxed{4821} because Ann', 'length', { text: '4821', outcome: 'unsure' }, ['answer-cut']],
    ['\\boxed{4821} because Ann', 'other', { text: '4821', outcome: 'unsure' }, ['answer-cut']],
    ['$\\boxed{4821}$.', 'other', { text: '4821', outcome: 'found' }, []],
    ['4821', 'stop', { text: '4821', outcome: 'unsure' }, ['answer-without-box']],
    ['\\boxed{4821', 'stop', { text: '4821', outcome: 'unsure' }, ['answer-without-box']],
    ['\\boxed{}', 'stop', { text: '', outcome: 'unsure' }, ['answer-empty']],
    [
      "\\boxed{I'm sorry, I can't help with that.}",
      'stop',
      { text: "I'm sorry, I can't help with that.", outcome: 'unsure' },
      ['answer-refused'],
    ],
    [
      '1. \\boxed{Ann} 2. \\boxed{Karl}',
      'stop',
      { text: 'Karl', outcome: 'unsure' },
      ['answer-several-boxes'],
    ],
    [
      '\\boxed{4821} (If it were not there: \\boxed{not in the text}.)',
      'stop',
      { text: '', outcome: 'unsure' },
      ['answer-several-boxes'],
    ],
    ['\\boxed{4821.}. I put \\boxed{4821} in \\boxed{}.', 'stop', { text: '4821', outcome: 'found' }, []],
    ['This is not in the text.', 'stop', { text: '', outcome: 'unsure' }, ['answer-without-box']],
  ] as const)('of %j that ends by %s is told with its doubts', async (reply, unified, answer, doubts) => {
    const { codes, end, model } = await finish([{ text: reply, finishReason: ended(unified) }])
    expect(end?.answer).toMatchObject(answer)
    expect(codes).toEqual(doubts)
    expect(end?.warnings.map(({ code, touchesAnswer }) => [code, touchesAnswer])).toEqual(
      doubts.map((code) => [code, true]),
    )
    expect(model.calls).toHaveLength(2)
  })

  it('that comes with a call of a tool is no certain one', async () => {
    const tool = ended('other', 'tool_calls')
    const found = await finish([{ text: '\\boxed{4821}', finishReason: tool }])
    expect(found.end?.answer).toMatchObject({ text: '4821', outcome: 'unsure' })
    const absent = { text: '\\boxed{not in the text} Let me search.', finishReason: tool }
    const asked = await finish([absent, absent])
    expect(asked.codes).toEqual(['answer-asked-again', 'answer-cut'])
    expect(asked.end?.answer).toMatchObject({ text: '', outcome: 'unsure' })
  })

  it.each([
    ['\\boxed{}', ''],
    ['It says \\boxed{ \\text{} }.', ''],
    ['\\boxed{not in the text}', undefined],
    ['The answer is not in the text.', undefined],
  ] as const)(
    'of %j is verified as %j: a box with nothing in it does not say "not in the text"',
    (text, stated) => {
      expect(
        statedAnswer(judgeResponse({ text, finishReason: ended('stop'), usage: undefined }).answer),
      ).toBe(stated)
    },
  )

  it('in several boxes is told with all of them, and a verifier takes the last', async () => {
    const { end } = await finish(['\\boxed{Ann\nHale}, \\boxed{\\text{Karl Mott}}'])
    expect(end?.warnings[0]?.message).toMatch(/: "Ann Hale", "Karl Mott"\.$/)
    expect(statedAnswer(end!.answer)).toBe('Karl Mott')
    const many = Array.from({ length: 99 }, (_, i) => `\\boxed{Guest ${i}}`).join(' ')
    expect((await finish([many])).end?.warnings[0]?.message.length).toBeLessThan(450)
  })

  it('that was cut is asked for again with more room, from the same checkpoint', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const cut = { text: '\\boxed{4821', finishReason: length }
    await finish([cut, cut], { checkpoints })
    const profile = { ...contractProfile, budget: { ...budget, window: 600, output: 60 } }
    const model = createScriptedModel(['\\boxed{4821}'], { profile, contextWindow: 600 })
    const { end } = await finish([], { checkpoints, model })
    expect(model.calls.map(({ options }) => options.maxTokens)).toEqual([60])
    expect(end?.answer.outcome).toBe('found')
    // The answer came from a budget of 60 tokens; this model's profile has another.
    const other = createScriptedModel([], { profile: contractProfile, contextWindow: 480 })
    expect((await finish([], { checkpoints, model: other })).error).toMatchObject({
      code: 'checkpoint/of-another-run',
      details: { differing: ['answerBudget'] },
    })
  })

  it('of reasoning alone that ended by itself gets no hint about more room', async () => {
    const thoughts = { text: '', reasoning: 'So it is Ann.' }
    const hintAfter = async (reason: ChatResult['finishReason']) => {
      const reply = { ...thoughts, finishReason: reason }
      return ((await finish([reply, reply])).error as NoAnswerError).hint
    }
    expect(await hintAfter(ended('stop'))).toMatch(/more room would not help/)
    expect(await hintAfter(length)).toMatch(/larger --window/)
    // The server keeps no run where a request says so, and a program may keep no checkpoint.
    expect(await hintAfter(length)).toMatch(/ If a run or a checkpoint is kept, it has the notes/)
  })

  it('whose second attempt fails reports the first cause, then the second', async () => {
    const cut = { text: '', finishReason: length }
    const { error } = await finish([cut, new ChatError({ code: 'x', message: 'no room' })])
    expect(error).toMatchObject({ code: 'chat/answer-cut', message: expect.stringContaining('no room') })
    const bounded = await finish([cut, new ChatError({ code: 'x', message: 'no room' })], {
      mostAnswerTokens: budget.output + 7,
    })
    // Only the second attempt had as many as that.
    expect((bounded.error as NoAnswerError).details.mostAnswerTokens).toBeUndefined()
    const checkpoints = createMemoryCheckpointStore()
    for (const passing of [
      new ChatError({ code: 'away', message: 'away', isRetryable: true }),
      new LimitError({ code: 'limit', message: 'enough' }),
    ]) {
      const failed = await finish([cut, passing], { checkpoints: createMemoryCheckpointStore() })
      expect(failed.error).toBe(passing)
    }
    expect((await finish([cut], { checkpoints, limits: { maxCalls: 2 } })).error).toMatchObject({
      code: 'reading/limit-calls',
    })
  })

  it('says where the answer was taken from', () => {
    const finishReason = ended('stop')
    expect(judgeResponse({ text: 'It is \\boxed{5}.', usage: undefined, finishReason }).answer).toEqual({
      text: '5',
      outcome: 'found',
      response: 'It is \\boxed{5}.',
      finishReason,
    })
  })
})
