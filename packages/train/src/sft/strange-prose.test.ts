import { createRandom } from '@memagent/tasks'
import { expect, it } from 'vitest'
import { drawPassage, loadProse } from './prose-passages.ts'
import { makeStrange } from './strange-prose.ts'

const text = 'The harbour was quiet that morning. Nobody had expected snow in April, least of all Martha.\n'
const prose = loadProse([text.repeat(700)])

it('is about as long, sometimes in verse or with new words, and the same for the same seed', () => {
  let [verses, inventions] = [0, 0]
  const known = new Set(prose.words.map((word) => word.toLowerCase()))
  for (let seed = 0; seed < 60; seed++) {
    const passage = drawPassage(prose, createRandom('passage', seed), 600)
    const strange = makeStrange(passage, prose, createRandom(seed))
    expect(strange).toHaveLength(passage.length)
    expect(strange).toEqual(makeStrange(passage, prose, createRandom(seed)))
    const joined = strange.join('')
    expect(joined.length).toBeGreaterThan(400)
    expect(joined.length).toBeLessThan(1000)
    const breaks = (lines: string) => lines.split('\n').length
    if (breaks(joined) > breaks(passage.join('')) + 3) verses++
    if ([...joined.matchAll(/\p{L}{3,}/gu)].some(([word]) => !known.has(word.toLowerCase()))) inventions++
  }
  expect(verses).toBeGreaterThan(15)
  expect(verses).toBeLessThan(45)
  expect(inventions).toBeGreaterThan(30)
})
