/** Models think aloud about the box that they are asked for, and some never come to their own. */
import { describe, expect, it } from 'vitest'
import { ChatError } from '../../errors.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import { finish, length } from '../testing/final-responses.ts'
import { statedAnswer } from './final-answer.ts'

const { budget } = contractProfile

describe('a final response that was cut behind "not in the text"', () => {
  const quote = { text: 'If it is not there, \\boxed{not in the text}. It says that', finishReason: length }

  it('may quote the prompt, so that it is asked for once more', async () => {
    const { codes, end, model } = await finish([quote, '\\boxed{4821}'])
    expect(end?.answer).toMatchObject({ text: '4821', outcome: 'found' })
    expect(codes).toEqual(['answer-asked-again'])
    expect(model.calls.at(-1)?.options.maxTokens).toBeGreaterThan(budget.output)
  })

  it.each([
    ['is no better', quote],
    ['is empty', ''],
    ['is rejected', new ChatError({ code: 'x', message: 'no room' })],
  ] as const)('is unsure where the second %s', async (_, second) => {
    const { codes, end } = await finish([quote, second])
    expect(end?.answer).toMatchObject({ text: '', outcome: 'unsure' })
    expect(end?.answer.isUnusable).toBeUndefined()
    expect(codes).toEqual(['answer-asked-again', 'answer-cut'])
  })

  it.each([
    ['nothing else', '', 'unsure', ['answer-asked-again', 'answer-quoted']],
    ['its own answer, too', ' So \\boxed{not in the text}.', 'not-found', ['answer-asked-again']],
  ] as const)(
    'is as sure as the second, which repeats the prompt and says %s',
    async (_, own, outcome, told) => {
      const asked = 'If the memory does not contain the answer, put \\boxed{not in the text}.'
      const { codes, end } = await finish([quote, `${asked}${own}`])
      expect(end?.answer).toMatchObject({ text: '', outcome })
      expect(codes).toEqual(told)
    },
  )

  it('is verified as it is', async () => {
    const { end, model } = await finish([quote], { acceptsSilence: true })
    expect(model.calls).toHaveLength(2)
    expect(statedAnswer(end!.answer)).toBeUndefined()
  })
})
