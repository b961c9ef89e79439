import { expect, it } from 'vitest'
import type { Checkpoint, CheckpointStore } from './checkpoint.ts'
import { CheckpointWriter } from './checkpoint-writer.ts'

const checkpoint = (steps: number) => ({ steps }) as Checkpoint

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined
}

/** A store whose writes take this many turns. */
function slowStore(count: number): { store: CheckpointStore; saved: () => number } {
  let steps = 0
  const store: CheckpointStore = {
    load: async () => undefined,
    async save(given) {
      await turns(count)
      steps = given.steps
    },
    append: () => turns(count),
    readLog: async () => [],
  }
  return { store, saved: () => steps }
}

it('has written what was saved last once it is flushed, whenever that comes', async () => {
  for (let taken = 0; taken < 12; taken++) {
    for (let later = 0; later < 24; later++) {
      const { store, saved } = slowStore(taken)
      const writer = new CheckpointWriter(store)
      writer.save(checkpoint(1))
      await turns(later)
      writer.save(checkpoint(2))
      await writer.flush()
      expect([taken, later, saved()]).toEqual([taken, later, 2])
    }
  }
})

it('writes one at a time, skips outdated ones, and ends with the newest', async () => {
  const saved: number[] = []
  let active = 0
  const slow: CheckpointStore = {
    ...slowStore(0).store,
    async save({ steps }) {
      expect(++active).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 2))
      active--
      saved.push(steps)
    },
  }
  const writer = new CheckpointWriter(slow)
  for (let steps = 1; steps <= 50; steps++) writer.save(checkpoint(steps))
  await writer.flush()
  expect(saved).toEqual([1, 50])
})

it('writes log entries before the checkpoint that needs them', async () => {
  const written: string[] = []
  const store: CheckpointStore = {
    ...slowStore(0).store,
    save: async ({ steps }) => {
      written.push(`checkpoint of ${steps}`)
    },
    append: async (entries) => {
      for (const entry of entries) if (entry.type === 'memory') written.push(`memory ${entry.index}`)
    },
  }
  const writer = new CheckpointWriter(store)
  for (const [index, text] of ['a', 'b'].entries()) {
    writer.append({ type: 'memory', index, step: index, text })
    writer.save(checkpoint(index + 1))
  }
  await writer.flush()
  for (const steps of [1, 2]) {
    const at = written.indexOf(`checkpoint of ${steps}`)
    if (at >= 0) expect(written.indexOf(`memory ${steps - 1}`)).toBeLessThan(at)
  }
  expect(written.at(-1)).toBe('checkpoint of 2')
})

it('tells of a write that failed at the next call, and when it is flushed', async () => {
  const failing: CheckpointStore = {
    ...slowStore(0).store,
    save: () => {
      throw new Error('The disk is full.')
    },
  }
  const writer = new CheckpointWriter(failing)
  writer.save(checkpoint(1))
  await expect(writer.flush()).rejects.toThrow('The disk is full.')
  expect(() => writer.save(checkpoint(2))).toThrow('The disk is full.')
  await writer.settle()
})
