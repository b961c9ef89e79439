import type { ReadingEvent } from '@memagent/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutRepeats, withRepeats } from './repeated-text.ts'

const memoryEnd = fc.record(
  {
    type: fc.constant('memory-end' as const),
    step: fc.nat(9),
    slot: fc.nat(2),
    memory: fc.constantFrom('', 'Ann came.', 'Ben came.'),
    previous: fc.constantFrom('', 'Ann came.', 'Ben came.'),
    changed: fc.boolean(),
    origin: fc.constantFrom('sampled' as const, 'kept' as const),
    tokens: fc.nat(9),
  },
  { requiredKeys: ['type', 'step', 'memory', 'previous', 'changed', 'origin', 'tokens'] },
)
const other = fc.record({
  type: fc.constant('warning' as const),
  step: fc.nat(9),
  code: fc.string(),
  message: fc.string(),
})

it('gives back the events that were stored, step by step', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.oneof(memoryEnd, other), { maxLength: 4 })), (steps) => {
      const [writing, reading] = [new Map(), new Map()]
      const stored = steps.map((events) => withoutRepeats(events as readonly ReadingEvent[], writing))
      expect(stored.map((events) => withRepeats(events, reading))).toEqual(steps)
    }),
  )
})

it('stores a memory that did not change once', () => {
  const event = { type: 'memory-end', step: 1, changed: true, origin: 'sampled', tokens: 2 } as const
  const events = [
    { ...event, memory: 'Ann came.', previous: '' },
    { ...event, memory: 'Ann came.', previous: 'Ann came.' },
  ]
  expect(JSON.stringify(withoutRepeats(events, new Map())).match(/Ann/g)).toHaveLength(1)
})
