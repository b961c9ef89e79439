import type { HuggingFaceTokenizer } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { rememberTokens } from './reader-tokens.ts'

/** One token a character; `!` is a special token where those are allowed. Records its calls. */
function makeTokenizer() {
  const asked: string[] = []
  const tokenizer: HuggingFaceTokenizer = {
    name: 'characters',
    isExact: true,
    count: (text) => asked.push(`count ${text}`) && text.length,
    encode(text, { specialTokens = false } = {}) {
      asked.push(`${specialTokens ? 'marked' : 'plain'} ${text}`)
      return [...text].map((sign) => (specialTokens && sign === '!' ? 0 : sign.codePointAt(0)!))
    },
    decode: (ids) => String.fromCodePoint(...ids),
    idOf: () => undefined,
  }
  return { tokenizer, asked }
}

describe('rememberTokens', () => {
  it('gives the result of the tokenizer, and calls it once', () => {
    const { tokenizer, asked } = makeTokenizer()
    const remembering = rememberTokens(tokenizer)
    for (let i = 0; i < 3; i++) {
      expect(remembering.count('ab')).toBe(2)
      expect(remembering.count('')).toBe(0)
      expect(remembering.encode('a!')).toEqual([97, 33])
      expect(remembering.encode('a!', { specialTokens: true })).toEqual([97, 0])
    }
    expect(asked).toEqual(['count ab', 'count ', 'plain a!', 'marked a!'])
    expect(remembering.decode([97])).toBe('a')
  })

  it('forgets the oldest when there are too many', () => {
    const { tokenizer, asked } = makeTokenizer()
    const remembering = rememberTokens(tokenizer, 2)
    for (const text of ['a', 'b', 'c', 'a', 'c']) expect(remembering.count(text)).toBe(1)
    expect(asked).toEqual(['count a', 'count b', 'count c', 'count a'])
  })
})
