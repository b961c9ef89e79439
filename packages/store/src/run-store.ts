/** A store of runs, and a run that is being written. Every driver passes `testing/store-contract.ts`. Types only. */
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

/** What people and the command line need to know of a run, beside what makes it the same run (its identity). */
export interface RunDescription {
  /** Undefined: general notes, or several questions. */
  readonly question?: string | undefined
  /** Of several that are read side by side. */
  readonly questions?: readonly string[] | undefined
  /** What is read, for people: `book.txt`, `3 files`. */
  readonly document: string
  readonly model: string
  readonly workflow: string
  /** Whatever else the program that reads needs to resume the run. Must not contain secrets. */
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
  /** What can be done about it. */
  readonly hint?: string | undefined
}

/** `running`: a process is reading it now. */
export type RunState = 'running' | 'unfinished' | 'finished'

export interface RunSummary extends RunDescription {
  readonly id: string
  readonly state: RunState
  /** Milliseconds since 1970, as all times here. */
  readonly createdMs: number
  readonly updatedMs: number
  /** Chunks read. */
  readonly steps: number
  /** What stopped it last. */
  readonly failure?: RunFailure | undefined
  readonly outcome?: 'found' | 'not-found' | 'unsure' | 'notes' | 'answers' | undefined
}

export interface StoredRun extends RunSummary {
  /** Empty: nobody began to read it yet. */
  readonly identity: RunIdentity
  /** Undefined: killed before anything was read. */
  readonly checkpoint?: Checkpoint | undefined
  readonly result?: RunResult | undefined
}

export interface RunFilter {
  /** @default all */
  readonly state?: RunState | undefined
  /** In the question, the document's name or the model's; upper and lower case are the same. */
  readonly text?: string | undefined
  /** Whatever else is asked of them. @default all are accepted */
  readonly accepts?: ((run: RunSummary) => boolean) | undefined
  /** At most so many. @default all */
  readonly limit?: number | undefined
  /** Those that follow this one in the list, which need not be there any more. @default from the newest */
  readonly after?: Pick<RunSummary, 'id' | 'createdMs'> | undefined
}

/**
 * A run as the checkpoint store of its reading: every step is written before the next call. Only the process that holds
 * its lease writes; one that lost it, being frozen for too long, gets StoreError `store/lease-lost`.
 */
export interface RunWriter extends CheckpointStore {
  /** Known once the reading has begun, which is when `load` was called, unless it was forgotten. */
  readonly id: string | undefined
  /**
   * Replies of all runs of the store, for this one to read with (`readDocument({ checkpoints: run, cache: run.replies })`).
   * What it adds is written with its steps.
   */
  readonly replies: ConversationCache
  /** @throws StoreError */
  finish(result: RunResult): Promise<void>
  /**
   * Lets go of a run that can be resumed; one that made no call yet is forgotten. Idempotent; does nothing after `finish`.
   */
  stop(failure?: RunFailure): Promise<void>
}

/** What the cache of a store has come to. */
export interface CacheSummary {
  readonly entries: number
  readonly bytes: number
  /** The most that it keeps; what was used least recently goes first. */
  readonly limitBytes: number
  /** Calls that the present entries have saved. */
  readonly hits: number
  /** Prompt and response of those calls. */
  readonly savedTokens: number
}

/** Replies to conversations, kept for all runs. Every method throws StoreError. */
export interface ReplyCache {
  summary(): Promise<CacheSummary>
  /** Erases all of it. @returns how many entries there were */
  clear(): Promise<number>
  /** For all who use the store. @param bytes 0 keeps nothing */
  setLimit(bytes: number): Promise<void>
}

/** Steps of a run, in order. */
export interface KeptSteps {
  /** The next ones that are kept, at most so many; none: there are no further ones yet. @throws StoreError */
  next(most: number): Promise<readonly StepEvents[]>
  /**
   * To be called first: the steps before this position are left out. A memory behind it that is the same as before is then
   * empty, since nobody has read what it was.
   * @returns chunks before it, of all questions @throws StoreError
   */
  skipTo(sequence: number): Promise<number>
}

export interface RunStore {
  /** For messages: a path, or an address without its password. */
  readonly name: string
  readonly cache: ReplyCache
  /**
   * For a reading that begins: when its identity is known, the unfinished run with the same identity is continued;
   * otherwise one is created.
   * @param onRun told which run it is, and whether it is continued
   */
  begin(
    description: RunDescription,
    onRun?: (id: string, isContinued: boolean) => void | Promise<void>,
  ): RunWriter
  /**
   * A run that is to be read later, by who resumes it: kept from now on, whether anything was read or not, and never
   * continued by a reading that `begin` begins.
   * @returns its id
   */
  create(description: RunDescription): Promise<string>
  /**
   * Why a run that nobody reads does not go on; undefined: nothing keeps it from going on.
   * @throws StoreError `store/run-in-use` while it is read, `store/no-run`
   */
  setFailure(id: string, failure: RunFailure | undefined): Promise<void>
  /** What the program that reads it keeps beside it, anew. @param id whole */
  setSettings(id: string, settings: Json): Promise<void>
  /** The run for its own reading to continue. @param id may be shortened @throws StoreError `store/no-run` */
  resume(id: string): Promise<RunWriter>
  /** The newest first; no more of them are loaded at a time than a page. */
  list(filter?: RunFilter): Promise<readonly RunSummary[]>
  /** @param id may be shortened to where it is unique @throws StoreError `store/no-run` */
  load(id: string): Promise<StoredRun>
  /** Events of the steps, in order: each memory with its step, and the ranges that were read. @throws StoreError */
  events(id: string): AsyncGenerator<ReadingEvent>
  /** The same step by step, also while they are being written. @param id whole */
  steps(id: string): KeptSteps
  /**
   * The memory after what was read of the run, to ask it something else.
   * @param question of several, whose memory, from 0
   * @returns undefined where nothing was read @throws StoreError `store/no-run`, `store/no-question`
   */
  memory(id: string, question?: number): Promise<ReadingStart | undefined>
  /**
   * Erases the run, and the cached replies that no other run used; the last reading of a session is so taken back.
   * @throws StoreError `store/run-in-use` while it is read, and `store/run-of-session` where later readings go on from it
   */
  remove(id: string): Promise<void>
  /** The run as JSON lines, for `importRuns` of any store. @throws StoreError */
  exportRun(id: string): AsyncGenerator<string>
  /**
   * Each run is taken whole or not at all, but for its settings: whoever sends a file must not choose what is done with
   * it. Runs that are here already are passed over.
   * @returns the ids as they are taken in
   * @throws StoreError `store/bad-import` at the first line that is none of a run, `store/run-exists` in the end for those
   * that were passed over
   */
  importRuns(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string>
  close(): Promise<void>
}
