interface WantedRun<Result> {
  /** Waits; when it ends by itself, the client gets the handle. */
  work(): Promise<Result>
  /** Of the call. */
  readonly signal: AbortSignal
  /** Called when nobody wants the run any more. */
  stop(): Promise<void>
}

/**
 * Readings that calls began and whose handle no client has yet. Once everyone waiting for one has gone, nobody can ask for it
 * any more, and it is stopped.
 */
export class WantedRuns {
  readonly #waiting = new Map<string, number>()
  /** Cancelled calls, which settle when their reading is stopped. */
  readonly #leaving = new Set<Promise<unknown>>()

  /** A call has begun the run, and will wait for it. */
  begun(id: string): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, 0)
  }

  /** Waits until cancelled readings are stopped, so that nobody joins them. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#leaving)
  }

  /** @throws what `work` throws */
  wait<Result>(id: string, wanted: WantedRun<Result>): Promise<Result> {
    const { signal } = wanted
    const waited = this.#wait(id, wanted)
    const leave = () => void this.#leaving.add(waited)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return waited.finally(() => {
      signal.removeEventListener('abort', leave)
      this.#leaving.delete(waited)
    })
  }

  async #wait<Result>(id: string, { work, signal, stop }: WantedRun<Result>): Promise<Result> {
    this.#count(id, 1)
    try {
      const result = await work()
      signal.throwIfAborted()
      this.#waiting.delete(id)
      return result
    } catch (error) {
      this.#count(id, -1)
      if (!signal.aborted) this.#waiting.delete(id)
      else if (this.#waiting.get(id) === 0) {
        this.#waiting.delete(id)
        await stop()
      }
      throw error
    }
  }

  /** Does not count runs whose handle was given out. */
  #count(id: string, more: number): void {
    const before = this.#waiting.get(id)
    if (before !== undefined) this.#waiting.set(id, before + more)
  }
}
