import { createHuggingFaceTokenizer } from '@memagent/core'
import { tinyTokenizerJson } from '@memagent/core/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longestPrefix, longestSuffix } from './cut-to-tokens.ts'

const bpe = createHuggingFaceTokenizer(tinyTokenizerJson('gpt2'))
const text = fc
  .array(fc.constantFrom('the ', 'old man ', '😀', 'é', '你好', '\n\n', '          ', 'x'), { maxLength: 60 })
  .map((parts) => parts.join(''))

it('gives the longest beginning and end by characters, where every character is a token', async () => {
  const count = (part: string) => [...part].length
  await fc.assert(
    fc.asyncProperty(text, fc.nat({ max: 80 }), async (whole, maxTokens) => {
      const characters = [...whole]
      expect(await longestPrefix(whole, maxTokens, count)).toBe(characters.slice(0, maxTokens).join(''))
      const from = Math.max(0, characters.length - maxTokens)
      expect(await longestSuffix(whole, maxTokens, count)).toBe(characters.slice(from).join(''))
    }),
  )
})

it('stays under the cap, next to it, and never ends inside a character, by any tokenizer', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.nat({ max: 40 }), async (whole, maxTokens) => {
      const { count } = bpe
      const first = await longestPrefix(whole, maxTokens, async (part) => count(part))
      const last = await longestSuffix(whole, maxTokens, count)
      expect(whole.startsWith(first)).toBe(true)
      expect(whole.endsWith(last)).toBe(true)
      for (const part of [first, last]) {
        expect(count(part)).toBeLessThanOrEqual(maxTokens)
        expect(part).not.toMatch(/\p{Surrogate}/u)
        // A character takes at most four tokens, and may join the previous token or start one.
        if (part !== whole) expect(count(part)).toBeGreaterThanOrEqual(maxTokens - 8)
      }
    }),
  )
})

it('counts a long text a few times only', async () => {
  let counted = 0
  const long = 'word '.repeat(200_000)
  const part = await longestSuffix(long, 1000, (one) => {
    counted += one.length
    return Math.ceil(one.length / 5)
  })
  expect(part).toHaveLength(5000)
  expect(counted).toBeLessThan(100_000)
})
