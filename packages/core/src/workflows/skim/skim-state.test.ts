/** Which states of a checkpoint a reading can have come to. */
import { expect, it } from 'vitest'
import type { Json } from '../workflow.ts'
import { type SkimState, skim } from './skim.ts'

const notes = { question: 'Who?', memory: 'Ann', steps: 2 }
const good: SkimState = { notes, rounds: 1, chosen: [7, 9], read: [2, 5], hasNews: true, bytesRead: 40, bytes: 900 } // biome-ignore format: one object
const isState = (state: object, question?: string) => skim.isState(state as Json, { question, steps: 2 })

it('a state is what a reading can have come to', () => {
  expect(isState(good, 'Who?')).toBe(true)
  expect(isState(good)).toBe(false)
})

it.each<[string, Partial<SkimState>]>([
  ['has read another number of chunks', { read: [2] }],
  ['has read a chunk twice', { read: [2, 2] }],
  ['is to read what it has read', { chosen: [2, 9] }],
  ['is to read against the order', { chosen: [9, 7] }],
  ['has read more than there is', { bytesRead: 901 }],
  ['has chosen without a search', { rounds: 0 }],
  ['has searched too often', { rounds: 9 }],
])('a state is none that %s', (_, change) => {
  expect(isState({ ...good, ...change }, 'Who?')).toBe(false)
})

it('a state is none that says more was read than the run did, which would hide what was passed over', () => {
  const after = (bytes: number) => skim.isState(good as Json, { question: 'Who?', steps: 2, bytes })
  expect([after(40), after(39), after(900)]).toEqual([true, false, false])
})

it('a state is none to answer from while there is something left to read', () => {
  const isLast = (change: Partial<SkimState>) =>
    skim.isState({ ...good, ...change } as Json, { question: 'Who?', steps: 2, isDone: true })
  expect(isLast({ chosen: [], rounds: 8 })).toBe(true)
  // Ended when three rounds were the most.
  expect(isLast({ chosen: [], rounds: 3 })).toBe(true)
  expect(isLast({ chosen: [], hasNews: false })).toBe(true)
  expect(isLast({})).toBe(false)
  expect(isLast({ chosen: [] })).toBe(false)
  const start = skim.init('Who?')
  expect(skim.isState(start, { question: 'Who?', steps: 0 })).toBe(true)
  expect(skim.isState(start, { question: 'Who?', steps: 0, isDone: true })).toBe(false)
})
