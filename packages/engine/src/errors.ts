import { MemAgentError } from '@memagent/core'

/** The engine was given tensors, weights or settings that do not fit together. */
export class EngineError extends MemAgentError {}
