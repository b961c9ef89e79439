/**
 * Tells people of a server that has had no room for a while. Requests are repeated as long as it takes, many at the same
 * time; one notice now and then is enough for all of them.
 */
import type { OnNotice, TinkerEffects } from './effects.ts'

/** A busy server clears its queue within less. */
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
      `The server has had no room for ${what} for ${seconds} s (429, too many requests); it is asked again until it has.`,
    )
  }
}
