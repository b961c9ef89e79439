import { MemAgentError } from '@memagent/core'

/** The store, or a run in it, cannot be used. */
export class StoreError extends MemAgentError {}
