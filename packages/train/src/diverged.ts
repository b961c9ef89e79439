/** Tells a training that diverged from one that an abort or another error ends. */
import { MemAgentError } from '@memagent/core'

/** Whether the weights of the last step may be worthless: the checkpoint before them stays. */
export const hasDiverged = (error: unknown): boolean =>
  MemAgentError.isInstance(error) && ['engine/diverged', 'train/gradients'].includes(error.code)
