import { expect, it } from 'vitest'
import { type Checkpoint, createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import type { ReadingEvent } from '../reading/events.ts'
import { QuestionCheckpoints } from './question-checkpoints.ts'

it('writes the events of a step with the checkpoint of its own question, so that no step is kept twice after a kill', async () => {
  const kept = createMemoryCheckpointStore()
  const checkpoints = new QuestionCheckpoints({ ...kept, keepsEvents: true }, ['Who?', 'When?'])
  const [who, when] = [checkpoints.of(0), checkpoints.of(1)]
  await Promise.all([who.load({}), when.load({})])
  const event = { type: 'memory-end', step: 0, memory: 'Ann.' } as ReadingEvent
  const saved = { sequence: 1, steps: 1, state: {}, usage: {}, memoryLogLength: 0 } as unknown as Checkpoint
  const eventsOf = async () =>
    (await kept.readLog()).flatMap((entry) => (entry.type === 'events' ? entry.events : []))
  await who.append([{ type: 'events', sequence: 1, events: [event] }])
  await when.save(saved)
  expect(await eventsOf()).toEqual([])
  await who.save(saved)
  expect(await eventsOf()).toEqual([{ ...event, question: 0 }])
})
