import { expect, it } from 'vitest'
import { hasInstructions, isPhrase, nothingPhrase } from './prompts.ts'

it('tells prompts with instructions from structure alone', () => {
  expect(hasInstructions({ prompts: 'paper' })).toBe(true)
  expect(hasInstructions({ prompts: 'compact' })).toBe(false)
})

it('knows a phrase however it is spelled, and not what only contains it', () => {
  for (const said of ['nothing relevant', ' "Nothing relevant." ', '**nothing\nrelevant**']) {
    expect(isPhrase(said, nothingPhrase)).toBe(true)
  }
  for (const said of ['', 'nothing', 'nothing relevant but the code 48213']) {
    expect(isPhrase(said, nothingPhrase)).toBe(false)
  }
})
