/**
 * Sessions: named memories that grow. A reading into a session is a run that starts from the memory of the previous reading.
 * Every driver passes `session-store.test.ts`.
 */
import type { ReadingStart } from '@memagent/core'
import type { RunDescription, RunSummary, RunWriter } from './run-store.ts'

/** Question, model, workflow and settings are those of the last reading. */
export interface SessionSummary extends Omit<RunDescription, 'document'> {
  readonly name: string
  /** Milliseconds since 1970, as are all times here. */
  readonly createdMs: number
  readonly updatedMs: number
  readonly readings: number
  readonly documents: number
  /** Chunks read. */
  readonly steps: number
  /** The run of an unfinished reading. */
  readonly unfinished?: string | undefined
  /** The run of its last reading, if that is damaged: then question, model, workflow and settings are not known. */
  readonly damaged?: string | undefined
}

export interface FindOptions {
  /** Gives what is damaged as lists do, instead of throwing StoreError `store/damaged`. @default false */
  readonly withDamaged?: boolean | undefined
}

export interface SessionReading extends RunSummary {
  /** From 1. */
  readonly number: number
}

/** Identified by its content: a file with the same path and another hash has changed. */
export interface NewDocument {
  /** Absolute; for standard input, a name. */
  readonly path: string
  readonly sizeBytes: number
  /** SHA-256 of the bytes. */
  readonly sha256: string
  /** The stored copy of standard input, if the text came from there. */
  readonly input?: string | undefined
  /** Reading starts at this byte; what precedes it was read earlier. @default 0 */
  readonly startByte?: number | undefined
}

export interface SessionDocument extends NewDocument {
  /** The reading that it belongs to. */
  readonly reading: number
  /** Position within that reading, from 0. */
  readonly number: number
  readonly startByte: number
  /** Its path when it was read, which sources name; undefined if it has not moved. */
  readonly readAs?: string | undefined
  /** The byte up to which the text was read. Undefined: its end; 0: unknown. */
  readonly endByte?: number | undefined
  /** False while its reading is unfinished. */
  readonly isRead: boolean
}

export interface NewReading {
  readonly run: RunDescription
  /** In the order of reading. */
  readonly documents: readonly NewDocument[]
  /** The reading that this one continues from; 0 for none. */
  readonly after: number
}

export interface SessionStore {
  /** Sessions that were read into, most recently read first; damaged ones, too. */
  list(): Promise<readonly SessionSummary[]>
  /** Undefined if nothing was read into a session of this name. */
  find(name: string, options?: FindOptions): Promise<SessionSummary | undefined>
  /** @throws StoreError `store/no-session` */
  load(name: string, options?: FindOptions): Promise<SessionSummary>
  /** In order. */
  readings(name: string, options?: FindOptions): Promise<readonly SessionReading[]>
  /** In the order of reading. */
  documents(name: string): Promise<readonly SessionDocument[]>
  /**
   * The memory after a reading, or what there is of it if the reading is unfinished.
   * @param reading @default the last one
   * @returns undefined if nothing was read
   */
  start(name: string, reading?: number): Promise<ReadingStart | undefined>
  /**
   * Begins a reading; the first one creates the session. Only one reading of a session can be under way. The run's `load`
   * throws StoreError `store/session-in-use`, `store/session-unfinished` if a stopped reading has to be continued first, and
   * `store/session-moved` if this is not the next reading after `after`.
   */
  begin(name: string, reading: NewReading): RunWriter
  /**
   * Creates a reading to be done later, when somebody resumes its run. It is kept even if nothing was read.
   * @returns the id of its run @throws StoreError like the `load` of `begin`
   */
  create(name: string, reading: NewReading): Promise<string>
  /** Records that a text has another path now, in all its parts and versions. */
  moveDocument(name: string, from: string, to: string): Promise<void>
  /** The run of the unfinished reading. @throws StoreError `store/session-in-use` while it is read */
  stopped(name: string): Promise<string>
  /**
   * Replaces a document of an unfinished reading with another version, or drops it (`version` undefined).
   * @param by the run that is reading @default nobody may be reading
   * @throws StoreError `store/session-in-use`
   */
  replaceDocument(
    name: string,
    number: number,
    version: NewDocument | undefined,
    by?: RunWriter,
  ): Promise<void>
  /**
   * Ends the unfinished reading where it stands, because its texts have changed.
   * @param lastDocument the last document that was read, at least in part; later ones are dropped
   * @param endByte the byte up to which it was read; 0 if unknown, as within an archive
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

/** The fingerprint of a reading's document: it stays the same when texts change that are still to be read. */
export const sessionFingerprint = (name: string, reading: number): string => `session:${name}:${reading}`
