/** Weights that all threads read in place. */
import type { Weights } from '../models/llama-config.ts'

/**
 * A copy in shared memory.
 * @param into an unused earlier copy of the same shapes: allocating memory takes longer than filling it
 */
export const sharedCopy = (weights: Weights, into?: Weights): Weights =>
  new Map(
    [...weights].map(([name, values]) => {
      const copy = into?.get(name) ?? new Float32Array(new SharedArrayBuffer(values.byteLength))
      copy.set(values)
      return [name, copy]
    }),
  )

/** These weights if they are already in shared memory; otherwise a copy. */
export const inSharedMemory = (weights: Weights): Weights =>
  [...weights.values()].every(({ buffer }) => buffer instanceof SharedArrayBuffer)
    ? weights
    : sharedCopy(weights)
