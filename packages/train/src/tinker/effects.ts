/** Time, chance and HTTP as parameters: tests need not wait. */

export interface TinkerEffects {
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Ends early with the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const realEffects: TinkerEffects = {
  fetch: (...input) => globalThis.fetch(...input),
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const end = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const timer = setTimeout(end, ms)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

/** Notices while the run continues: server messages, settings without effect, paused queues. */
export type OnNotice = (message: string) => void
