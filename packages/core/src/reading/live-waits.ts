/**
 * Reports waits while they last. The other events of a step are reported at its end, which would be too late for a wait for a
 * server: it may take a quarter of an hour.
 */
import type { WaitNotice } from '../chat/chat.ts'
import { untilAborted } from '../waiting.ts'

export type WaitEvent = { readonly type: 'wait' } & WaitNotice

export class LiveWaits {
  #told: WaitEvent[] = []
  #wake: () => void = () => undefined

  add(wait: WaitNotice): void {
    this.#told.push({ type: 'wait', ...wait })
    this.#wake()
  }

  /**
   * Yields the waits of the work as they begin, and returns its result.
   * @throws what the work throws; an abort throws the signal's reason at once, even during a wait
   */
  async *during<Result>(work: Promise<Result>, signal: AbortSignal): AsyncGenerator<WaitEvent, Result> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    const result = untilAborted(work, signal)
    const settled = result.then(settle, settle)
    while (!isSettled) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      if (this.#told.length === 0) await Promise.race([settled, woken])
      yield* this.#told.splice(0)
    }
    return result
  }

  /** Yields the items, and the waits for the next one in between. @throws as `during` */
  async *between<Item>(
    items: AsyncIterable<Item>,
    signal: AbortSignal,
  ): AsyncGenerator<WaitEvent | { readonly type: 'item'; readonly item: Item }> {
    const iterator = items[Symbol.asyncIterator]()
    let isWaiting = false
    try {
      for (;;) {
        isWaiting = true
        const next = yield* this.during(iterator.next(), signal)
        isWaiting = false
        if (next.done) return
        yield { type: 'item', item: next.value }
      }
    } finally {
      const closed = iterator.return?.()
      if (isWaiting) closed?.catch(() => undefined)
      else await closed
    }
  }
}
