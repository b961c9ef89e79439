import { expect, it } from 'vitest'
import { splitAround } from './split-around.ts'

it('finds a passage by its bytes, whatever characters are before it', () => {
  const text = 'Für Ann. 😀 Die Lampe brennt. Ende.'
  const from = new TextEncoder().encode('Für Ann. 😀 ').length
  const to = from + 'Die Lampe brennt.'.length
  expect(splitAround(text, { from, to })).toEqual({
    before: 'Für Ann. 😀 ',
    passage: 'Die Lampe brennt.',
    behind: ' Ende.',
  })
})

it('takes the place of its quote that is nearest', () => {
  const text = 'red. blue. red. blue. red.'
  expect(splitAround(text, { from: 9, to: 12, quote: 'red.' }).before).toBe('red. blue. ')
  expect(splitAround(text, { from: 40, to: 60, quote: 'red.' }).before).toBe('red. blue. red. blue. ')
  expect(splitAround(text, { from: 0, to: 4, quote: 'green.' })).toMatchObject({
    before: '',
    passage: 'red.',
  })
})
