/** Time, chance and HTTP as parameters, so tests need not wait. */
import { type Sleep, sleep } from '@memagent/core'

export interface TinkerEffects {
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Ends early with the signal's reason. */
  readonly sleep: Sleep
}

export const realEffects: TinkerEffects = {
  fetch: (...input) => globalThis.fetch(...input),
  now: Date.now,
  random: Math.random,
  sleep,
}

/** Receives notices while the run continues: server messages, settings without effect, paused queues. */
export type OnNotice = (message: string) => void
