import { type ChatResult, compactPrompts, paperPrompts } from '@memagent/core'
import { expect, it } from 'vitest'
import { answerOf, hasInstructions, isPhrase, nothingPhrase } from './prompts.ts'

it('tells prompts with instructions from structure alone', () => {
  expect(hasInstructions(paperPrompts)).toBe(true)
  expect(hasInstructions(compactPrompts)).toBe(false)
})

it('knows a phrase however it is spelled, and not what only contains it', () => {
  for (const said of ['nothing relevant', ' "Nothing relevant." ', '**nothing\nrelevant**']) {
    expect(isPhrase(said, nothingPhrase)).toBe(true)
  }
  for (const said of ['', 'nothing', 'nothing relevant but the code 48213']) {
    expect(isPhrase(said, nothingPhrase)).toBe(false)
  }
})

it('takes the answer out of a response', () => {
  const finishReason = { unified: 'stop', raw: 'stop' } as const
  const said = (text: string): ChatResult => ({ text, usage: undefined, finishReason })
  const text = 'It is \\boxed{5}.'
  expect(answerOf(said(text))).toEqual({ text: '5', outcome: 'found', response: text, finishReason })
  expect(answerOf(said('\\boxed{not in the text}'))).toMatchObject({ text: '', outcome: 'not-found' })
})
