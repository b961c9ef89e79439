import { expect, it } from 'vitest'
import type { StepEvent } from '../api/types.ts'
import { GrowingSteps } from './growing-steps.ts'

const step = (index: number, more: Partial<StepEvent> = {}): StepEvent => ({
  step: index,
  ranges: [{ file: index < 2 ? 'a.txt' : 'b.txt', startByte: index, endByte: index + 1 }],
  memories: [],
  warnings: [],
  ...more,
})
const wrote = (memory: string, more: object = {}) => ({
  memories: [{ memory, changed: true, origin: 'sampled', ...more }],
})

it('keeps what a server tells of steps', () => {
  const steps = new GrowingSteps()
  const warning = { code: 'cut', message: 'The reply was cut.' }
  steps.add(step(0, wrote('Ann came.')))
  steps.add(step(1, { memories: [{ changed: false, origin: 'kept' }], warnings: [warning, warning] }))
  steps.add(step(2, wrote('Ann came.\nBob left.', { slot: 1 })))
  const { timeline } = steps
  expect([0, 1, 2].map((index) => timeline.at(index))).toEqual([
    'Ann came.',
    'Ann came.',
    'Ann came.\nBob left.',
  ])
  expect(timeline.changes).toEqual([0, 2])
  expect(timeline.troubled).toEqual([1])
  expect(steps.files).toEqual(['a.txt', 'b.txt'])
  expect(steps.warnings).toEqual(['The reply was cut.'])
  expect(timeline.steps.at(2)).toMatchObject({ slot: 1, ranges: [{ file: 1, startByte: 2, endByte: 3 }] })
})

it('begins with the memory that a reading goes on from', () => {
  const steps = new GrowingSteps()
  steps.add(step(0, { memories: [{ changed: false, origin: 'sampled', previous: 'Ann came.' }] }))
  steps.add(step(1, wrote('Ann came.\nBob left.')))
  const { timeline } = steps
  expect([-1, 0, 1].map((index) => timeline.at(index))).toEqual([
    'Ann came.',
    'Ann came.',
    'Ann came.\nBob left.',
  ])
  expect(timeline.changes).toEqual([1])
})

it('takes little room for a run of millions of tokens in which every step changes the memory', () => {
  const steps = new GrowingSteps()
  const lines: string[] = []
  for (let i = 0; i < 13_000; i++) {
    lines.unshift(`On day ${i} the ferry brought ${(i * 37) % 211} passengers and ${(i * 13) % 97} crates.`)
    lines.length = Math.min(lines.length, 6)
    steps.add(step(i, wrote(lines.join('\n'))))
  }
  const told = JSON.stringify(steps.timeline.packed()).length
  expect(steps.timeline.length).toBe(13_000)
  expect(told).toBeLessThan(1_000_000)
})
