/** The public surface of @memagent/store: explicit named exports only. */
export { StoreError } from './errors.ts'
export { dataFolder, openRunStore, type Surroundings } from './open-store.ts'
export type {
  Json,
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
