/** Stores that need every step written before the next call, and the events of steps in their log. */
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type CheckpointStore, createMemoryCheckpointStore } from './checkpoint.ts'
import { collect, modelOf, note } from './testing/short-reading.ts'

/** How many steps were written when each call was made; a write takes longer than a call. */
async function writtenAtCalls(isWrittenFirst: boolean): Promise<number[]> {
  let written = 0
  const atCalls: number[] = []
  const model = modelOf(() => {
    atCalls.push(written)
    return note()
  })
  const store = createMemoryCheckpointStore()
  const checkpoints: CheckpointStore = {
    ...store,
    isWrittenFirst,
    async save(checkpoint) {
      await setTimeout(2)
      await store.save(checkpoint)
      written = checkpoint.steps
    },
  }
  await collect({ model, checkpoints })
  return atCalls
}

it('makes no call before the step before it is written, where the store wants that', async () => {
  const atCalls = await writtenAtCalls(true)
  expect(atCalls).toEqual(atCalls.map((_, call) => call))
  expect(atCalls.length).toBeGreaterThan(4)
})

it('writes during the call otherwise', async () => {
  const atCalls = await writtenAtCalls(false)
  expect(atCalls.some((written, call) => written < call)).toBe(true)
})

it('names the run to the store, and keeps the events of its steps', async () => {
  const store = createMemoryCheckpointStore()
  const named: unknown[] = []
  const checkpoints: CheckpointStore = {
    ...store,
    keepsEvents: true,
    load(identity) {
      named.push(identity?.question)
      return store.load()
    },
  }
  const events = await collect({ model: modelOf(note), checkpoints })
  expect(named).toEqual(['Who came?'])
  const kept = (await store.readLog()).flatMap((entry) => (entry.type === 'events' ? entry.events : []))
  const ofSteps = events.filter(({ type }) => type === 'memory-end' || type === 'chunk-end')
  expect(kept.filter(({ type }) => type === 'memory-end' || type === 'chunk-end')).toEqual(ofSteps)
  const again = await collect({ model: modelOf(note), checkpoints })
  expect(again.map(({ type }) => type)).toEqual(['reading-start', 'answer'])
})
