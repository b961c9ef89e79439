import { MemAgentError, withoutKeys } from '@memagent/core'
import type { RunFailure } from '@memagent/store'
import { Interruption } from '../failures.ts'

/** What is kept of the error that stopped a reading. */
export function keptFailure(error: unknown): RunFailure {
  if (error instanceof Interruption) return { code: 'interrupted', message: 'Interrupted.' }
  const { code, message } = MemAgentError.isInstance(error)
    ? error
    : { code: 'unexpected', message: String(error) }
  return { code, message: withoutKeys(message) }
}
