/** A store of runs, and a run that is being written. Every driver passes `run-store.test.ts`. Types only. */
import type {
  Checkpoint,
  CheckpointStore,
  ConversationCache,
  ReadingEvent,
  ReadingStart,
  RunIdentity,
} from '@memagent/core'
import type { StepEvents } from './run-log.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** What people and the command line need to know about a run, besides its identity. */
export interface RunDescription {
  /** Undefined for general notes and for several questions. */
  readonly question?: string | undefined
  /** If there are several; they are read side by side. */
  readonly questions?: readonly string[] | undefined
  /** A name for people: `book.txt`, `3 files`. */
  readonly document: string
  readonly model: string
  readonly workflow: string
  /** Anything else that the program needs to resume the run. Must not contain secrets. */
  readonly settings?: Json | undefined
}

/** How a reading ended: the answer or the notes, with memory, warnings and usage. */
export type RunResult = Extract<ReadingEvent, { type: 'answer' | 'notes' }> | RunAnswers

/** How the readings of several questions ended: one answer each, in their order. */
export interface RunAnswers {
  readonly type: 'answers'
  readonly answers: readonly Extract<ReadingEvent, { type: 'answer' }>[]
}

/** Why a run stopped. */
export interface RunFailure {
  readonly code: string
  readonly message: string
  /** What to do about it. */
  readonly hint?: string | undefined
}

/** `running`: a process is reading it now. */
export type RunState = 'running' | 'unfinished' | 'finished'

export interface RunSummary extends RunDescription {
  readonly id: string
  /** Its row is not what was written: what is unreadable of it is left out or empty. `load` throws. */
  readonly isDamaged?: true | undefined
  readonly state: RunState
  /** Milliseconds since 1970, as are all times here. */
  readonly createdMs: number
  readonly updatedMs: number
  /** Chunks read. */
  readonly steps: number
  /** What stopped it last, or what is damaged. */
  readonly failure?: RunFailure | undefined
  readonly outcome?: 'found' | 'not-found' | 'unsure' | 'notes' | 'answers' | undefined
}

export interface StoredRun extends RunSummary {
  /** Empty if nobody has begun to read it. */
  readonly identity: RunIdentity
  /** Undefined if nothing was saved before it stopped. */
  readonly checkpoint?: Checkpoint | undefined
  readonly result?: RunResult | undefined
}

export interface RunFilter {
  /** @default all */
  readonly state?: RunState | undefined
  /** Found in a question, or in the name of the document or model; ignores case. */
  readonly text?: string | undefined
  /** A further condition. @default all are accepted */
  readonly accepts?: ((run: RunSummary) => boolean) | undefined
  /** @default all */
  readonly limit?: number | undefined
  /** Only runs after this one in the list; it need not exist any more. @default from the newest */
  readonly after?: Pick<RunSummary, 'id' | 'createdMs'> | undefined
}

/**
 * A run as the checkpoint store of its reading: each step is written before the next call. Only the process that holds the
 * lease can write; a process that lost it because it was frozen gets StoreError `store/lease-lost`.
 */
export interface RunWriter extends CheckpointStore {
  /** Known once the reading has begun and called `load`, unless the run was forgotten. */
  readonly id: string | undefined
  /**
   * The replies of all runs of the store, for this run to read with (`readDocument({ checkpoints: run, cache: run.replies
   * })`). New replies are written with its steps.
   */
  readonly replies: ConversationCache
  /** @throws StoreError */
  finish(result: RunResult): Promise<void>
  /**
   * Releases the run, which can be resumed, once a `load` under way has ended; forgets it if no call was made yet. Idempotent;
   * does nothing after `finish`.
   */
  stop(failure?: RunFailure): Promise<void>
}

/** What the cache of a store contains, and what it saved. */
export interface CacheSummary {
  readonly entries: number
  readonly bytes: number
  /** The most that it keeps; what was used least recently goes first. */
  readonly limitBytes: number
  /** Calls that the present entries have saved. */
  readonly hits: number
  /** Prompt and response tokens of those calls. */
  readonly savedTokens: number
}

/** Replies to conversations, shared by all runs. Every method throws StoreError. */
export interface ReplyCache {
  summary(): Promise<CacheSummary>
  /** Erases all entries. @returns how many there were */
  clear(): Promise<number>
  /** Applies to everyone who uses the store. @param bytes 0 keeps nothing */
  setLimit(bytes: number): Promise<void>
}

/** Steps of a run, in order. */
export interface KeptSteps {
  /** The next stored steps, at most `most`; empty if there are none yet. @throws StoreError */
  next(most: number): Promise<readonly StepEvents[]>
  /**
   * Skips the steps before this position; must be called first. A later memory that equals the one before it is then empty,
   * since that one was not loaded.
   * @returns the number of chunks skipped, over all questions @throws StoreError
   */
  skipTo(sequence: number): Promise<number>
}

export interface RunStore {
  /** For messages: a path, or an address without its password. */
  readonly name: string
  readonly cache: ReplyCache
  /**
   * Begins a reading. Once its identity is known, continues the unfinished run with that identity, or else creates one.
   * @param onRun told the id of the run, and whether it continues
   */
  begin(
    description: RunDescription,
    onRun?: (id: string, isContinued: boolean) => void | Promise<void>,
  ): RunWriter
  /**
   * Creates a run that is read later, when somebody resumes it. It is kept even if nothing was read, and `begin` never
   * continues it.
   * @returns its id
   */
  create(description: RunDescription): Promise<string>
  /**
   * Records why a run that nobody reads does not go on; undefined clears the reason.
   * @throws StoreError `store/run-in-use` while it is read, `store/no-run`
   */
  setFailure(id: string, failure: RunFailure | undefined): Promise<void>
  /** Replaces the settings that the reading program keeps with the run. @param id in full */
  setSettings(id: string, settings: Json): Promise<void>
  /** The run, for its own reading to continue. @param id may be shortened @throws StoreError `store/no-run` */
  resume(id: string): Promise<RunWriter>
  /** Newest first; loaded a page at a time. Damaged runs are listed if their rows may match. */
  list(filter?: RunFilter): Promise<readonly RunSummary[]>
  /** @param id may be shortened while it stays unique @throws StoreError `store/no-run`, `store/damaged` */
  load(id: string): Promise<StoredRun>
  /** The run as a list has it, even if it is damaged. @param id as for `load` @throws StoreError `store/no-run` */
  summary(id: string): Promise<RunSummary>
  /** The events of the steps, in order: each memory with its step, and the ranges that were read. @throws StoreError */
  events(id: string): AsyncGenerator<ReadingEvent>
  /** The same events step by step, even while they are being written. @param id in full */
  steps(id: string): KeptSteps
  /**
   * The memory of what was read so far, to ask the run something else.
   * @param question whose memory, if there are several; from 0
   * @returns undefined if nothing was read @throws StoreError `store/no-run`, `store/no-question`
   */
  memory(id: string, question?: number): Promise<ReadingStart | undefined>
  /**
   * Erases the run and the cached replies that no other run used. This is how the last reading of a session is undone.
   * @throws StoreError `store/run-in-use` while it is read, and `store/run-of-session` if later readings continue from it
   */
  remove(id: string): Promise<void>
  /** The run as JSON lines, for `importRuns` of any store. @throws StoreError */
  exportRun(id: string): AsyncGenerator<string>
  /**
   * Imports each run completely or not at all, but without its settings: the sender of a file must not choose what is done
   * with it. Runs that are already in the store are skipped.
   * @returns the ids as they are imported
   * @throws StoreError `store/bad-import` at the first line that does not belong to a run, `store/run-exists` at the end if
   * runs were skipped
   */
  importRuns(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string>
  close(): Promise<void>
}
