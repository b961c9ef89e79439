/**
 * The state of a reading after a step. It is tiny, so every step is a checkpoint: a killed run resumes at the next chunk
 * and ends with the same answer. What grows with the reading (old memories, finished conversations of an unfinished
 * step) goes line by line into a log. The store decides where both are kept.
 */
import type { ChatResult } from '../chat/chat.ts'
import type { ProvenanceState } from '../provenance/provenance.ts'
import type { Answer, Json } from '../workflows/workflow.ts'
import type { MemorySize } from './adaptive-memory.ts'
import type { EarlierReadings } from './earlier-readings.ts'
import type { ReadingEvent, ReadingUsage } from './events.ts'
import type { RunIdentity } from './run-identity.ts'
import type { ReadingWarning } from './warning-log.ts'

export const checkpointVersion = 2

export interface Checkpoint {
  readonly version: number
  readonly identity: RunIdentity
  /** Checkpoints of this run so far; log entries of an unfinished step belong to the next one. */
  readonly sequence: number
  /** Chunks read; in several passes, each reading of a chunk counts. */
  readonly steps: number
  /** After the last chunk read: its ordinal plus one, and the characters of the document so far. */
  readonly position: DocumentPosition
  readonly state: Json
  readonly usage: ReadingUsage
  readonly seconds: number
  /** Number of entries in the log of old memories. */
  readonly memoryLogLength: number
  readonly warnings: readonly ReadingWarning[]
  /** The workflow ended the stream early, or has read all it wanted. */
  readonly isDone: boolean
  /** Of a reading whose memory adapts. */
  readonly memorySize?: MemorySize | undefined
  /** Of a reading that finds sources. */
  readonly provenance?: ProvenanceState | undefined
  /** Of a reading that goes on from the memory of others; everything else here but the position's ordinal is its own. */
  readonly earlier?: EarlierReadings | undefined
  /** Set when the run is finished. */
  readonly answer?: Answer | undefined
}

export interface DocumentPosition {
  readonly ordinal: number
  readonly characters: number
  /** Hash of the text so far. */
  readonly textHash: string
  /** The document was read to its end. */
  readonly isEnd?: boolean | undefined
}

/** Of several questions read side by side: whose entry it is, from 0, and its own index or sequence in that reading. */
export interface EntryOwner {
  readonly question: number
  readonly number: number
}

/** A line of the log. When a step was repeated, its entries occur twice, and the later ones count. */
export type LogEntry =
  | {
      readonly type: 'memory'
      readonly index: number
      readonly step: number
      readonly text: string
      readonly of?: EntryOwner | undefined
    }
  | {
      readonly type: 'conversation'
      /** Checkpoints before the step that it is for. */
      readonly sequence: number
      /** It ended before that step began. */
      readonly ahead?: boolean | undefined
      readonly key: string
      readonly result: ChatResult
      readonly of?: EntryOwner | undefined
    }
  | {
      readonly type: 'events'
      /** The checkpoint that relies on them. */
      readonly sequence: number
      /** Events of the step before it; of several questions, with the number of each, from 0. */
      readonly events: readonly (ReadingEvent & { readonly question?: number | undefined })[]
    }

export interface CheckpointStore {
  /** For messages: the path of the file. */
  readonly name?: string | undefined
  /** Every call waits until all before it is written; otherwise that happens during the call. @default false */
  readonly isWrittenFirst?: boolean | undefined
  /** The events of every step go into the log, too. @default false */
  readonly keepsEvents?: boolean | undefined
  /**
   * The last checkpoint, or undefined.
   * @param identity of the reading that begins, for a store of many runs
   * @throws CheckpointError when there is one but it cannot be read
   */
  load(identity?: RunIdentity): Promise<Checkpoint | undefined>
  /** Replaces the last checkpoint atomically. */
  save(checkpoint: Checkpoint): Promise<void>
  /** Appends to the log; the log of a run starts empty when `load` found no checkpoint. */
  append(entries: readonly LogEntry[]): Promise<void>
  /** The whole log, in order. @throws CheckpointError when it cannot be read */
  readLog(): Promise<LogEntry[]>
}

/** Keeps checkpoint and log in memory. */
export function createMemoryCheckpointStore(): CheckpointStore {
  let last: string | undefined
  let log: string[] = []
  return {
    async load() {
      if (last === undefined) log = []
      return last === undefined ? undefined : (JSON.parse(last) as Checkpoint)
    },
    async save(checkpoint) {
      last = JSON.stringify(checkpoint)
    },
    async append(entries) {
      for (const entry of entries) log.push(JSON.stringify(entry))
    },
    readLog: async () => log.map((line) => JSON.parse(line) as LogEntry),
  }
}
