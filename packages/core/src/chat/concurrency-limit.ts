/** At most N calls at once; the others queue in order. A queued call can be aborted and then takes no slot. */
import { ConfigurationError } from '../errors.ts'

export type ConcurrencyLimit = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** @throws ConfigurationError when `places` is not a positive integer */
export function createConcurrencyLimit(places: number): ConcurrencyLimit {
  if (!(places === Number.POSITIVE_INFINITY || (Number.isInteger(places) && places > 0))) {
    throw new ConfigurationError({
      code: 'chat/concurrency',
      message: `concurrency must be a positive integer, not ${places}`,
    })
  }
  let free = places
  const waiting = new Set<() => void>()

  function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free--
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const take = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = () => {
        waiting.delete(take)
        reject(signal?.reason)
      }
      waiting.add(take)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  function leave(): void {
    const [next] = waiting
    if (next === undefined) {
      free++
      return
    }
    waiting.delete(next)
    next()
  }

  return async (task, signal) => {
    await enter(signal)
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
