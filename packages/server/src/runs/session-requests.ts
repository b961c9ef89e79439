/** What is asked of sessions that a server reads into. Types only. */
import type { Run } from '../api/schemas.ts'
import type { Owner } from '../safety/keys.ts'

export interface SessionReadRequest {
  /** What the memory is for, when the session begins; later it may be left out, and is no other. @default notes are taken */
  readonly question?: string | undefined
  /** Ids of uploads. */
  readonly files: readonly string[]
  /** Read after the files. */
  readonly text?: string | undefined
  /** As when the session began. @default the session's; of one that begins, the first model and its workflow */
  readonly model?: string | undefined
  readonly workflow?: string | undefined
  /** Files that were read under this name with another content are read again. @default false */
  readonly readChanged?: boolean | undefined
}

export interface SessionAskRequest {
  /** @default the session's */
  readonly question?: string | undefined
}

/** What a request to read came to. Files are named as they were uploaded. */
export interface SessionRead {
  /** The reading of what is new. Undefined: nothing is. */
  readonly run?: Run | undefined
  /** What it reads. */
  readonly read: readonly string[]
  /** Read before, as they are. */
  readonly known: readonly string[]
  /** Read before with another content, and not read again unless `readChanged`. */
  readonly changed: readonly string[]
  /** The same text as another one. */
  readonly copies: readonly { readonly name: string; readonly of: string }[]
}

/** Of the sessions of one owner: those of others are not there. Runs are those of `RunService`: followed, cancelled, resumed and waited for there. */
export interface SessionActions {
  /** @throws RequestError 400; 404 for a file; 409 while a reading of it is not finished, and for other settings; 429; DocumentError */
  read(owner: Owner, name: string, request: SessionReadRequest): Promise<SessionRead>
  /** @throws RequestError 404; 409 where nothing was read; 429 */
  ask(owner: Owner, name: string, request: SessionAskRequest): Promise<Run>
}
