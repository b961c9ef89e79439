/** Restores what a checkpoint needs from its log, whenever the run was killed. */
import { CheckpointError } from '../errors.ts'
import type { MemoryLogEntry } from '../workflows/workflow.ts'
import type { Checkpoint, CheckpointStore } from './checkpoint.ts'
import { logEntry } from './checkpoint-shape.ts'
import type { ReadingEvent } from './events.ts'
import type { JournalEntry } from './journal.ts'
import { damagedCheckpoint } from './parse-checkpoint.ts'

export interface RestoredLog {
  readonly memories: readonly MemoryLogEntry[]
  /** Conversations of steps after the checkpoint, by key. */
  readonly conversations: ReadonlyMap<string, JournalEntry>
  /** Events of the steps up to the checkpoint, in order; empty when they were not kept. */
  readonly events: readonly ReadingEvent[]
}

/** @throws CheckpointError if an entry is invalid or a memory is missing */
export async function restoreLog(checkpoint: Checkpoint, store: CheckpointStore): Promise<RestoredLog> {
  const memories: MemoryLogEntry[] = []
  const conversations = new Map<string, JournalEntry>()
  const events = new Map<number, readonly ReadingEvent[]>()
  for (const [i, entry] of (await store.readLog()).entries()) {
    const problem = logEntry(entry, `entry ${i + 1} of its log`)
    if (problem !== undefined) throw damagedCheckpoint(store.name, problem)
    if (entry.type === 'memory') {
      if (entry.index < checkpoint.memoryLogLength) {
        memories[entry.index] = { step: entry.step, text: entry.text }
      }
    } else if (entry.type === 'events') {
      if (entry.sequence <= checkpoint.sequence) events.set(entry.sequence, entry.events)
    } else if (entry.sequence >= checkpoint.sequence && !(checkpoint.isDone && entry.ahead)) {
      const { key, sequence, ahead, result } = entry
      conversations.set(key, { sequence, ahead, result })
    }
  }
  for (let index = 0; index < checkpoint.memoryLogLength; index++) {
    if (memories[index]) continue
    throw new CheckpointError({
      code: 'checkpoint/damaged',
      message: `The checkpoint counts on ${checkpoint.memoryLogLength} old memories, and number ${index + 1} is missing in its log.`,
      hint: 'Use another checkpoint file, or remove this one and its log to start over.',
      details: { wanted: checkpoint.memoryLogLength, missing: index },
    })
  }
  const inOrder = [...events].sort(([a], [b]) => a - b)
  return { memories, conversations, events: inOrder.flatMap(([, ofStep]) => ofStep) }
}
