/**
 * Limits the number of samples in flight. A server that answers "too many" gets fewer, until it has not complained for a
 * while.
 */
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
  readonly #options: Required<{ [K in keyof SampleGateOptions]: number }>
  readonly #waiting: (() => void)[] = []
  #active = 0
  #throttledAt = Number.NEGATIVE_INFINITY

  constructor(now: TinkerEffects['now'], options: SampleGateOptions = {}) {
    this.#now = now
    const { maxSamples = 256, maxThrottled = 10, quietMs = 10_000 } = options
    this.#options = { maxSamples, maxThrottled, quietMs }
  }

  /** Records that the server answered 429. */
  throttle(): void {
    this.#throttledAt = this.#now()
  }

  /** Runs the task when there is room, in call order. An abort leaves the queue. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#active < this.#limit()) this.#active++
    else await this.#turn(signal)
    try {
      return await task()
    } finally {
      this.#active--
      this.#admit()
    }
  }

  #limit(): number {
    const { maxSamples, maxThrottled, quietMs } = this.#options
    const isThrottled = this.#now() - this.#throttledAt < quietMs
    return isThrottled ? Math.min(maxSamples, maxThrottled) : maxSamples
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#active < this.#limit()) {
      // Count it now: it starts a little later, and others may end in between.
      this.#active++
      this.#waiting.shift()!()
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal?.reason)
      }
      this.#waiting.push(enter)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }
}
