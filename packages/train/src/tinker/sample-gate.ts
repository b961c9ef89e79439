/**
 * Limits the number of samples in flight. A server that answers "too many" gets fewer, until it has not complained for a
 * while.
 */
import { createGate } from '@memagent/core'
import type { TinkerEffects } from './effects.ts'

export interface SampleGateOptions {
  /** Maximum number of samples awaiting their result. @default 256 */
  readonly maxSamples?: number | undefined
  /** The same while the server has recently complained. @default 10 */
  readonly maxThrottled?: number | undefined
  /** How long "recently" is, in milliseconds. @default 10_000 */
  readonly quietMs?: number | undefined
}

export class SampleGate {
  readonly #now: TinkerEffects['now']
  #throttledAt = Number.NEGATIVE_INFINITY
  /** Runs the task when there is room, in call order. An abort leaves the queue. */
  readonly run: <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

  constructor(now: TinkerEffects['now'], options: SampleGateOptions = {}) {
    this.#now = now
    const { maxSamples = 256, maxThrottled = 10, quietMs = 10_000 } = options
    this.run = createGate((_, active) => {
      const isThrottled = now() - this.#throttledAt < quietMs
      return active < (isThrottled ? Math.min(maxSamples, maxThrottled) : maxSamples)
    })
  }

  /** Records that the server answered 429. */
  throttle(): void {
    this.#throttledAt = this.#now()
  }
}
