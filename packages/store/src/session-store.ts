/**
 * Sessions: named memories that go on. A reading into one is a run that starts from the memory of the reading before it.
 * Every driver passes `session-store.test.ts`.
 */
import type { ReadingStart } from '@memagent/core'
import type { RunDescription, RunSummary, RunWriter } from './run-store.ts'

/** Question, model, workflow and settings are those of the last reading. */
export interface SessionSummary extends Omit<RunDescription, 'document'> {
  readonly name: string
  /** Milliseconds since 1970, as all times here. */
  readonly createdMs: number
  readonly updatedMs: number
  readonly readings: number
  readonly documents: number
  /** Chunks read. */
  readonly steps: number
  /** The run of a reading that is not finished. */
  readonly unfinished?: string | undefined
}

export interface SessionReading extends RunSummary {
  /** From 1 on. */
  readonly number: number
}

/** Known by its content: a file of this path with another hash has changed. */
export interface NewDocument {
  /** Absolute; for a text from standard input, a name. */
  readonly path: string
  readonly sizeBytes: number
  /** SHA-256 of the bytes. */
  readonly sha256: string
  /** The kept standard input, where it came from there. */
  readonly input?: string | undefined
  /** The text is read from this byte on; what was before it was read earlier. @default 0 */
  readonly startByte?: number | undefined
}

export interface SessionDocument extends NewDocument {
  /** The reading that it belongs to. */
  readonly reading: number
  /** Within that, in the order of reading, from 0 on. */
  readonly number: number
  readonly startByte: number
  /** Its path when it was read, which sources name; undefined: the same. */
  readonly readAs?: string | undefined
  /** The text was read up to this byte; undefined: to its end; 0: up to one that is not known. */
  readonly endByte?: number | undefined
  /** False while its reading is not finished. */
  readonly isRead: boolean
}

export interface NewReading {
  readonly run: RunDescription
  /** In the order of reading. */
  readonly documents: readonly NewDocument[]
  /** The reading that it goes on from: 0 for none. */
  readonly after: number
  readonly onRun?: ((id: string) => void) | undefined
}

export interface SessionStore {
  /** Those that were read into; the one that was read into last comes first. */
  list(): Promise<readonly SessionSummary[]>
  /** Undefined: nothing was read into a session of this name. */
  find(name: string): Promise<SessionSummary | undefined>
  /** @throws StoreError `store/no-session` */
  load(name: string): Promise<SessionSummary>
  /** In order. */
  readings(name: string): Promise<readonly SessionReading[]>
  /** In the order of reading. */
  documents(name: string): Promise<readonly SessionDocument[]>
  /**
   * The memory after a reading, or, if that is not finished, after what was read of it.
   * @param reading @default the last one
   * @returns undefined where nothing was read
   */
  start(name: string, reading?: number): Promise<ReadingStart | undefined>
  /**
   * For a reading that begins; the session is made with the first one. Only one reading of a session is under way at a
   * time. The run's `load` throws StoreError `store/session-in-use`, `store/session-unfinished` where a reading was
   * stopped, which has to go on first, and `store/session-moved` where it is not the next after `after`.
   */
  begin(name: string, reading: NewReading): RunWriter
  /**
   * A reading that is to be done later, by who resumes its run: kept from now on, whether anything was read or not.
   * @returns the id of its run @throws StoreError as the `load` of `begin`
   */
  create(name: string, reading: Omit<NewReading, 'onRun'>): Promise<string>
  /** A text that was read, in however many parts or versions, has another path now. */
  moveDocument(name: string, from: string, to: string): Promise<void>
  /** The run of the reading that is not finished. @throws StoreError `store/session-in-use` while it is read */
  stopped(name: string): Promise<string>
  /**
   * Of a reading that is not finished: a document becomes another version of itself, or is left out (`version` undefined).
   * @param by who reads it. @default nobody may
   * @throws StoreError `store/session-in-use`
   */
  replaceDocument(
    name: string,
    number: number,
    version: NewDocument | undefined,
    by?: RunWriter,
  ): Promise<void>
  /**
   * Ends the reading that is not finished where it stands: for one whose texts are not as they were.
   * @param lastDocument the last one of which something was read; those behind it are left out
   * @param endByte up to which its text was read; 0: not known, as within an archive
   * @param memory as people read it
   * @throws StoreError `store/session-in-use`, `store/nothing-read`
   */
  endReading(
    name: string,
    end: { readonly lastDocument: number; readonly endByte: number; readonly memory: string },
  ): Promise<void>
  /** Erases the session with its runs. @throws StoreError `store/session-in-use` while it is read */
  remove(name: string): Promise<void>
}

/** The fingerprint of a reading's document: the same however its texts change that are still to be read. */
export const sessionFingerprint = (name: string, reading: number): string => `session:${name}:${reading}`
