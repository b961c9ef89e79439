/**
 * The state of a reading after a step. It is tiny, so every step is a checkpoint: a killed run resumes at the next chunk and ends
 * with the same answer. What grows with the reading (old memories, finished conversations of an unfinished step) is appended to a
 * log line by line. The store decides where both are kept.
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
  /** Checkpoints of this run so far; log entries of an unfinished step belong to the next checkpoint. */
  readonly sequence: number
  /** Chunks read; with several passes, every reading of a chunk counts. */
  readonly steps: number
  /** After the last chunk read: its ordinal plus one, and the characters of the document so far. */
  readonly position: DocumentPosition
  readonly state: Json
  readonly usage: ReadingUsage
  readonly seconds: number
  /** Number of entries in the log of old memories. */
  readonly memoryLogLength: number
  readonly warnings: readonly ReadingWarning[]
  /** The workflow ended the reading early, or has read all it wanted. */
  readonly isDone: boolean
  /** Only if the memory adapts. */
  readonly memorySize?: MemorySize | undefined
  /** Only if the reading finds sources. */
  readonly provenance?: ProvenanceState | undefined
  /**
   * Only if the reading goes on from the memory of others. All else here but the position's ordinal is about this reading alone.
   */
  readonly earlier?: EarlierReadings | undefined
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

/** For several questions read side by side: the question of an entry, from 0, and the index or sequence within its reading. */
export interface EntryOwner {
  readonly question: number
  readonly number: number
}

/** A line of the log. The entries of a repeated step occur twice, and the later ones count. */
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
      /** Checkpoints before the step it belongs to. */
      readonly sequence: number
      /** It ended before its step began. */
      readonly ahead?: boolean | undefined
      readonly key: string
      readonly result: ChatResult
      readonly of?: EntryOwner | undefined
    }
  | {
      readonly type: 'events'
      /** The checkpoint that relies on them. */
      readonly sequence: number
      /** Events of the step before it, each with the number of its question, from 0, if there are several. */
      readonly events: readonly (ReadingEvent & { readonly question?: number | undefined })[]
    }

export interface CheckpointStore {
  /** Path of the file, for messages. */
  readonly name?: string | undefined
  /** Every call waits until everything before it is written; otherwise writes happen during the call. @default false */
  readonly isWrittenFirst?: boolean | undefined
  /** Log the events of every step, too. @default false */
  readonly keepsEvents?: boolean | undefined
  /**
   * The last checkpoint, if there is one.
   * @param identity of the reading that begins, for a store of many runs
   * @throws CheckpointError when there is one but it cannot be read
   */
  load(identity?: RunIdentity): Promise<Checkpoint | undefined>
  /** Replaces the last checkpoint atomically. */
  save(checkpoint: Checkpoint): Promise<void>
  /** Appends to the log, which starts empty if `load` found no checkpoint. */
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
