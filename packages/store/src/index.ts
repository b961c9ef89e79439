/** The public surface of @memagent/store: explicit named exports only. */
export { StoreError } from './errors.ts'
export type { KeyLimits, KeyStore, StoredKey } from './key-store.ts'
export { checkLocation, dataFolder, openRunStore, type Surroundings } from './open-store.ts'
export { isPostgresAddress, withoutPassword } from './postgres/address.ts'
export type { StepEvents } from './run-log.ts'
export { type ReadableRuns, runOfQuestion } from './run-of-question.ts'
export type {
  CacheSummary,
  Json,
  KeptSteps,
  ReplyCache,
  RunAnswers,
  RunDescription,
  RunFailure,
  RunFilter,
  RunResult,
  RunState,
  RunStore,
  RunSummary,
  RunWriter,
  StoredRun,
} from './run-store.ts'
export { readingUnfinished, sessionMemory, withUnfinished } from './session-memory.ts'
export { sessionName, sessionNameRule } from './session-name.ts'
export { type NewsOptions, type SessionNews, sessionNews } from './session-news.ts'
export {
  type FindOptions,
  type NewDocument,
  type NewReading,
  type SessionDocument,
  type SessionReading,
  type SessionStore,
  type SessionSummary,
  sessionFingerprint,
} from './session-store.ts'
export type { Store } from './store.ts'
