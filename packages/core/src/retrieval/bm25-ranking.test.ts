import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bm25Ranking } from './bm25-ranking.ts'

function rank(query: string, texts: readonly string[]) {
  const ranking = new Bm25Ranking(query)
  for (const text of texts) ranking.add(text)
  return ranking.ranked()
}

/** Four texts of 3, 2, 3 and 1 words, 2.25 on average. */
const texts = ['Big cat sat.', 'Big dog', 'cat cat bird', 'fish']

describe('scores worked out by hand', () => {
  it('of one word: two of four texts have it, so its weight is ln(1 + 2.5 / 2.5)', () => {
    const ranked = rank('cat?', texts)
    expect(ranked.map(({ ordinal }) => ordinal)).toEqual([2, 0])
    // Both are a third longer than the average: 1.2 * (0.25 + 0.75 * 3 / 2.25) = 1.5.
    expect(ranked[0]?.score).toBeCloseTo((Math.LN2 * 2) / (2 + 1.5), 12)
    expect(ranked[1]?.score).toBeCloseTo((Math.LN2 * 1) / (1 + 1.5), 12)
    expect(ranked[0]?.score).toBeCloseTo(0.3960841031771116, 12)
  })

  it('of two words: their sum', () => {
    const ranked = rank('big cat', texts)
    expect(ranked.map(({ ordinal }) => ordinal)).toEqual([0, 2, 1])
    expect(ranked[0]?.score).toBeCloseTo(2 * (Math.LN2 / 2.5), 12)
    // The big dog: 1.2 * (0.25 + 0.75 * 2 / 2.25) = 1.1.
    expect(ranked[2]?.score).toBeCloseTo(Math.LN2 / 2.1, 12)
  })

  it('of a rare word: ln(1 + 3.5 / 1.5)', () => {
    const [only, ...others] = rank('fish', texts)
    expect(others).toEqual([])
    // One word: 1.2 * (0.25 + 0.75 / 2.25) = 0.7.
    expect(only?.score).toBeCloseTo(Math.log(1 + 3.5 / 1.5) / 1.7, 12)
  })

  it('of a word asked for twice: twice', () => {
    const [once] = rank('fish', texts)
    const [twice] = rank('fish, fish!', texts)
    expect(twice?.score).toBeCloseTo(2 * once!.score, 12)
  })
})

describe('words', () => {
  it.each([
    ['case', 'CAT', 'a Cat'],
    ['width', 'cat', 'ＣＡＴ'],
    ['composition', 'Zürich', 'in Zu\u0308rich'],
    ['signs around them', 'cat', '"cat",'],
    ['numbers', '48213', 'code 48213.'],
    ['scripts without spaces', '世界', '你好，世界。'],
    ['number and tense', 'which codes open', 'A code opened it.'],
    ['a possessive', 'mayor of Kelvora', 'Kelvora’s mayor'],
  ])('are the same in spite of %s', (_, question, text) => {
    expect(rank(question, [text, 'nothing of it'])).toHaveLength(1)
  })

  it('that are stop words match nothing, and do not count towards the length', () => {
    expect(rank('Who is it, and what was the cat’s?', ['Who is it? What was that?', 'cat'])).toHaveLength(1)
    expect(rank('What is it?', ['What is it?'])).toEqual([])
    const scores = (text: string) => rank('cat', [text, 'dog bird']).map(({ score }) => score)
    expect(scores('the cat, and what it is')).toEqual(scores('cat'))
  })

  it('are whole words, never parts of one', () => {
    expect(rank('cat', ['category', 'concat', 'cat_5'])).toEqual([])
  })
})

describe('properties', () => {
  const word = fc.constantFrom('cat', 'dog', 'big', 'fish', 'bird')
  const anyText = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))

  it('ranks every text that shares a word, once, best first, equal scores in order', () => {
    fc.assert(
      fc.property(anyText, fc.array(anyText, { maxLength: 12 }), (question, all) => {
        const ranking = new Bm25Ranking(question)
        const wanted = new Set(question.split(' ').filter((one) => one !== ''))
        const shares = all.map((text) => ranking.add(text))
        expect(shares).toEqual(all.map((text) => text.split(' ').some((one) => wanted.has(one))))
        const ranked = ranking.ranked()
        expect(ranked.map(({ ordinal }) => ordinal).toSorted((a, b) => a - b)).toEqual(
          all.flatMap((_, i) => (shares[i] ? [i] : [])),
        )
        for (const [i, { score, ordinal }] of ranked.entries()) {
          expect(score).toBeGreaterThan(0)
          const next = ranked[i + 1]
          if (next) expect(score > next.score || (score === next.score && ordinal < next.ordinal)).toBe(true)
        }
      }),
    )
  })

  it('does not count texts without words', () => {
    fc.assert(
      fc.property(anyText, fc.array(anyText, { minLength: 1, maxLength: 8 }), (question, all) => {
        const scores = (more: readonly string[]) => rank(question, more).map(({ score }) => score)
        expect(scores([...all, ' ... ', ''])).toEqual(scores(all))
      }),
    )
  })
})
