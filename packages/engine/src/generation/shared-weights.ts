/** Weights that all threads read where they are. */
import type { Weights } from '../models/llama-config.ts'

/**
 * A copy in shared memory.
 * @param into an earlier copy of the same shapes that nobody needs any more: fresh memory takes longer to get than to fill
 */
export const sharedCopy = (weights: Weights, into?: Weights): Weights =>
  new Map(
    [...weights].map(([name, values]) => {
      const copy = into?.get(name) ?? new Float32Array(new SharedArrayBuffer(values.byteLength))
      copy.set(values)
      return [name, copy]
    }),
  )

/** These weights if they are in shared memory already; else a copy. */
export const inSharedMemory = (weights: Weights): Weights =>
  [...weights.values()].every(({ buffer }) => buffer instanceof SharedArrayBuffer)
    ? weights
    : sharedCopy(weights)
