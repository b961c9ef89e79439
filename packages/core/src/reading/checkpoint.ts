/**
 * The state of a reading after a step. It is tiny, so every step is a checkpoint: a run that was killed goes on at the
 * next chunk and ends with the same answer. Where checkpoints are kept is the store's business.
 */
import { CheckpointError } from '../errors.ts'
import type { Answer, Json } from '../workflows/workflow.ts'
import type { ReadingUsage } from './events.ts'

export const checkpointVersion = 1

/** What makes two runs the same run, by name, so that a refusal can say what differs. */
export type RunIdentity = Readonly<Record<string, Json>>

export interface Checkpoint {
  readonly version: number
  readonly identity: RunIdentity
  /** Chunks read. */
  readonly steps: number
  /** Characters of the document in those chunks. */
  readonly characters: number
  readonly state: Json
  readonly usage: ReadingUsage
  readonly seconds: number
  readonly memoryLog: readonly { readonly step: number; readonly text: string }[]
  /** The workflow ended the stream early. */
  readonly isDone: boolean
  /** Present when the run is finished. */
  readonly answer?: Answer | undefined
}

export interface CheckpointStore {
  /** The last checkpoint, or undefined. @throws CheckpointError when there is one that cannot be read */
  load(): Promise<Checkpoint | undefined>
  save(checkpoint: Checkpoint): Promise<void>
}

/** Keeps the last checkpoint in this process. */
export function createMemoryCheckpointStore(): CheckpointStore {
  let last: string | undefined
  return {
    load: async () => (last === undefined ? undefined : (JSON.parse(last) as Checkpoint)),
    save: async (checkpoint) => {
      last = JSON.stringify(checkpoint)
    },
  }
}

/** @throws CheckpointError naming what differs */
export function checkIdentity(checkpoint: Checkpoint, identity: RunIdentity): void {
  if (checkpoint.version !== checkpointVersion) {
    throw new CheckpointError({
      code: 'checkpoint/version',
      message: `The checkpoint has version ${checkpoint.version}; this program writes version ${checkpointVersion}.`,
      hint: 'Start over with another checkpoint file.',
    })
  }
  const names = [...new Set([...Object.keys(checkpoint.identity), ...Object.keys(identity)])]
  const differing = names.filter(
    (name) => JSON.stringify(checkpoint.identity[name]) !== JSON.stringify(identity[name]),
  )
  if (differing.length > 0) {
    throw new CheckpointError({
      code: 'checkpoint/of-another-run',
      message: `The checkpoint belongs to another run: ${differing.join(', ')} differ${differing.length === 1 ? 's' : ''}.`,
      hint: 'Repeat the command as it was, or name another checkpoint file.',
      details: { differing },
    })
  }
}
