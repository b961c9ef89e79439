/** Everything that a store keeps. Types only. */
import type { KeyStore } from './key-store.ts'
import type { RunStore } from './run-store.ts'
import type { SessionStore } from './session-store.ts'

export interface Store extends RunStore {
  readonly sessions: SessionStore
  /** Of a server's clients. */
  readonly keys: KeyStore
}
