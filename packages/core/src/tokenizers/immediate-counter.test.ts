import { expect, it } from 'vitest'
import { createEstimateTokenizer } from './estimate.ts'
import { createImmediateCounter } from './immediate-counter.ts'

const estimate = createEstimateTokenizer()

it('uses the tokenizer’s own count where that is synchronous', async () => {
  const tokenizer = { name: 'letters', isExact: true, count: (text: string) => text.length }
  const { name, isExact, count } = await createImmediateCounter(tokenizer)
  expect([name, isExact, count('abc')]).toEqual(['letters', true, 3])
})

it.each([
  ['there is none', undefined],
  ['a server counts', { name: 'server', isExact: true, count: async () => 7 }],
  ['a server fails to', { name: 'server', isExact: true, count: () => Promise.reject(new Error('down')) }],
])('the count is an estimate where %s', async (_, tokenizer) => {
  const { name, count } = await createImmediateCounter(tokenizer)
  expect([name, count('some words')]).toEqual([estimate.name, estimate.count('some words')])
})
