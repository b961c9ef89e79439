/** Requests about sessions that a server reads into. Types only. */
import type { Run, SessionRead } from '@memagent/web'
import type { Owner } from '../safety/keys.ts'

export interface SessionReadRequest {
  /** What the memory is for, when the session begins; later it may be left out, but not changed. @default notes are taken */
  readonly question?: string | undefined
  /** Ids of uploads. */
  readonly files: readonly string[]
  /** Read after the files. */
  readonly text?: string | undefined
  /** Must not change later. @default the session's; for a new one, the first model and its workflow */
  readonly model?: string | undefined
  readonly workflow?: string | undefined
  /** Files that were read under this name with another content are read again. @default false */
  readonly readChanged?: boolean | undefined
}

export interface SessionAskRequest {
  /** @default the session's */
  readonly question?: string | undefined
}

/** Acts on the sessions of one owner, who cannot see others. `RunService` follows, cancels, resumes and awaits their runs. */
export interface SessionActions {
  /** @throws RequestError 400; 404 for a file; 409 if a reading is unfinished, or for other settings; 429; DocumentError */
  read(owner: Owner, name: string, request: SessionReadRequest): Promise<SessionRead>
  /** @throws RequestError 404; 409 if nothing was read; 429 */
  ask(owner: Owner, name: string, request: SessionAskRequest): Promise<Run>
}
