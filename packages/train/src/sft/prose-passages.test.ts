import { createRandom } from '@memagent/tasks'
import { describe, expect, it } from 'vitest'
import { drawPassage, drawWordSalad, loadProse } from './prose-passages.ts'

const text = 'The first one ends here. Does the second? "It does!" she said.\nA line of its own\n\n'.repeat(
  800,
)

describe('loadProse', () => {
  it('cuts texts into sentences that join back to the text', () => {
    const prose = loadProse([text, 'No end'])
    expect(prose.sentences.join('')).toBe(`${text}No end`)
    expect(prose.sentences[1]).toBe(' Does the second?')
    expect(prose.starts[1]).toBe(prose.sentences[0]!.length)
  })

  it('rejects too little prose', () => {
    expect(() => loadProse(['short'])).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/at least 50,000 characters/),
        hint: expect.stringContaining('prose.evaluationShare'),
      }),
    )
  })
})

describe('passages', () => {
  const prose = loadProse([text])

  it('have about the requested length in whole sentences, and repeat for the same seed', () => {
    for (let seed = 0; seed < 50; seed++) {
      const passage = drawPassage(prose, createRandom(seed), 400)
      const length = passage.join('').length
      expect(length).toBeGreaterThan(350)
      expect(length).toBeLessThan(450)
      expect(drawPassage(prose, createRandom(seed), 400)).toEqual(passage)
    }
  })

  it('of random words use the words of the prose', () => {
    const salad = drawWordSalad(prose, createRandom(1), 300).join('')
    for (const [word] of salad.matchAll(/\p{L}{2,}/gu)) expect(prose.words).toContain(word)
  })
})
