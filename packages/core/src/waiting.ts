/** Waits that an abort ends at once. */

/** Node fires a timer with a longer delay after one millisecond. */
const longestTimerMs = 2 ** 31 - 1

/** The delay, capped at the longest that a timer can have: 24 days. */
export const timerMs = (ms: number): number => Math.min(ms, longestTimerMs)

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

/** Waits; an abort ends the wait and throws the signal's reason. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, timerMs(ms))
    signal?.addEventListener('abort', onAbort, { once: true })
  })

/**
 * The promise, or the signal's reason if that comes first; the work behind the promise continues. (`Promise.race` would hold
 * every item until the end.)
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    // Attached in either case: an unhandled rejection would end the process.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
