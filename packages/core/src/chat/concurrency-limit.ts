/** Limits what runs at once; the rest queues in order. A queued task can be aborted and then takes no room. */
import { ConfigurationError } from '../errors.ts'

/** Runs the task when there is room. @throws what the task throws; the signal's reason if it aborts before */
export type Gate = <T>(task: () => Promise<T>, signal?: AbortSignal, size?: number) => Promise<T>

export type ConcurrencyLimit = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** @param fits whether a task of this size has room beside tasks of `inUse` together; a size is 1 unless given */
export function createGate(fits: (size: number, inUse: number) => boolean): Gate {
  let inUse = 0
  const waiting = new Set<{ readonly size: number; readonly start: () => void }>()
  function admit(): void {
    for (const next of waiting) {
      if (!fits(next.size, inUse)) return
      waiting.delete(next)
      // Counted now, although it starts a little later.
      inUse += next.size
      next.start()
    }
  }
  return async (task, signal, size = 1) => {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const entry = { size, start }
      const onAbort = () => {
        waiting.delete(entry)
        reject(signal?.reason)
        admit()
      }
      waiting.add(entry)
      signal?.addEventListener('abort', onAbort, { once: true })
      admit()
    })
    try {
      return await task()
    } finally {
      inUse -= size
      admit()
    }
  }
}

/** At most so many tasks at once. @throws ConfigurationError when `places` is not a positive integer */
export function createConcurrencyLimit(places: number): ConcurrencyLimit {
  if (!(places === Number.POSITIVE_INFINITY || (Number.isInteger(places) && places > 0))) {
    throw new ConfigurationError({
      code: 'chat/concurrency',
      message: `concurrency must be a positive integer, not ${places}`,
    })
  }
  return createGate((_, inUse) => inUse < places)
}
