import type { ReadingEvent } from '@memagent/core'
import { expect, it } from 'vitest'
import { stepsOf } from './shown-steps.ts'

const memory = (step: number, text: string): ReadingEvent => ({
  type: 'memory-end',
  step,
  memory: text,
  previous: '',
  changed: true,
  origin: 'sampled',
  tokens: 1,
})
const chunk = (step: number): ReadingEvent => ({
  type: 'chunk-end',
  step,
  tokens: 1,
  bytes: 1,
  ranges: [{ source: 'a', startByte: step, endByte: step + 1 }],
  usage: { promptTokens: 1, completionTokens: 1 },
  seconds: 0,
})
async function* told(events: readonly ReadingEvent[]) {
  yield* events
}
const steps = async (events: readonly ReadingEvent[]) => {
  const all = []
  for await (const step of stepsOf(told(events))) {
    all.push([step.index, step.ordinal, step.memories.map((one) => one.memory).join()])
  }
  return all
}

it('gives each chunk the memory that was written after it', async () => {
  expect(await steps([memory(0, 'a'), chunk(0), chunk(1), memory(2, 'b'), chunk(2)])).toEqual([
    [0, 0, 'a'],
    [1, 1, ''],
    [2, 2, 'b'],
  ])
})

it('gives what was merged of several chunks to the last of them, in every pass', async () => {
  const pass = (text: string) => [memory(2, text), chunk(0), chunk(1), chunk(2)]
  expect(await steps([...pass('a'), ...pass('b')])).toEqual([
    [0, 0, ''],
    [1, 1, ''],
    [2, 2, 'a'],
    [3, 0, ''],
    [4, 1, ''],
    [5, 2, 'b'],
  ])
})

it('leaves out what no chunk followed', async () => {
  expect(await steps([])).toEqual([])
  expect(await steps([memory(0, 'a')])).toEqual([])
})
