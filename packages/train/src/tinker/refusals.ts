/**
 * Reports a server that has had no room for a while. Many requests repeat at the same time, for as long as it takes; an
 * occasional notice is enough for all of them.
 */
import type { OnNotice, TinkerEffects } from './effects.ts'

/** Report only after this long: a merely busy server clears its queue sooner. */
const silentMs = 60_000
const betweenNoticesMs = 10 * 60_000

export class Refusals {
  readonly #now: TinkerEffects['now']
  readonly #onNotice: OnNotice
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(now: TinkerEffects['now'], onNotice: OnNotice) {
    this.#now = now
    this.#onNotice = onNotice
  }

  /** @param what the kind of request @param since when this request was first refused, in milliseconds */
  refused(what: string, since: number): void {
    const now = this.#now()
    if (now - since < silentMs || now - this.#toldAt < betweenNoticesMs) return
    this.#toldAt = now
    const seconds = Math.round((now - since) / 1000)
    this.#onNotice(
      `The server has had no room for ${what} for ${seconds} s (429, too many requests); requests are repeated until it has.`,
    )
  }
}
