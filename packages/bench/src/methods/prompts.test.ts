import { expect, it } from 'vitest'
import { hasInstructions, isPhrase, nothingPhrase } from './prompts.ts'

it('distinguishes prompts with instructions from mere structure', () => {
  expect(hasInstructions({ prompts: 'paper' })).toBe(true)
  expect(hasInstructions({ prompts: 'compact' })).toBe(false)
})

it('recognizes a phrase in any spelling, but not texts that only contain it', () => {
  for (const said of ['nothing relevant', ' "Nothing relevant." ', '**nothing\nrelevant**']) {
    expect(isPhrase(said, nothingPhrase)).toBe(true)
  }
  for (const said of ['', 'nothing', 'nothing relevant but the code 48213']) {
    expect(isPhrase(said, nothingPhrase)).toBe(false)
  }
})
