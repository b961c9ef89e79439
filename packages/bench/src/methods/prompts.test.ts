import { compactPrompts, paperPrompts } from '@memagent/core'
import { expect, it } from 'vitest'
import { hasInstructions, isPhrase, nothingPhrase } from './prompts.ts'

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
