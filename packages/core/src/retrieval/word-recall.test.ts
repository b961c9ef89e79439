import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf, WordRecall } from './word-recall.ts'

const searching = (texts: readonly string[]) => {
  const index = new WordRecall()
  for (const text of texts) index.add(text)
  return index
}

describe('a search', () => {
  const texts = ['The South Gate opens at 6.', 'Ann has the keys.', 'Ann opens a gate, any gate.', '']

  it.each([
    ["texts with more of the query's words first", 'which gates did Ann open?', [2, 0, 1]],
    ['the newest of equal ones', 'Ann', [2, 1]],
    ['how often a word stands in a text or in the query not at all', 'south gate gate gate', [0, 2]],
    ['no text for stop words', 'what is it, and who has the?', []],
    ['no text for other words', 'Bob', []],
    ['no text for no words', ' ?! ', []],
  ])('gives %s', (_, query, expected) => {
    expect(searching(texts).search(query)).toEqual(expected)
  })

  it('finds no text that was forgotten, however often', () => {
    const index = searching([])
    for (let i = 0; i < 100; i++) {
      index.add(`Ann came on day ${i}.`)
      index.forgetBefore(i - 2)
      expect(index.search('Ann')).toEqual([i, i - 1, i - 2].filter((one) => one >= 0))
    }
    expect(index.search('0')).toEqual([])
    expect(index.length).toBe(100)
  })

  it('is the arg-max of word recall over all texts that are held', () => {
    const text = fc
      .array(fc.constantFrom('ann', 'Bob', 'keys', 'key', 'the', 'gate', '7', 'gate.'), { maxLength: 6 })
      .map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), text, fc.nat(14), (all, query, first) => {
        const index = searching(all)
        index.forgetBefore(first)
        const wanted = termsOf(query)
        const ranked = all
          .map((one, ordinal) => ({
            ordinal,
            shared: [...termsOf(one)].filter((term) => wanted.has(term)).length,
          }))
          .filter(({ ordinal, shared }) => shared > 0 && ordinal >= first)
          .sort((one, other) => other.shared - one.shared || other.ordinal - one.ordinal)
        expect(index.search(query)).toEqual(ranked.map(({ ordinal }) => ordinal))
      }),
    )
  })
})
