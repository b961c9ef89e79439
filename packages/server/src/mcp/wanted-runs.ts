/**
 * Readings that calls began and whose handle nobody has yet. When all who wait for one have gone away, nobody can ask for it any
 * more, and it is stopped.
 */
export class WantedRuns {
  readonly #waiting = new Map<string, number>()
  /** Of calls that were cancelled: settle when what they read is stopped. */
  readonly #leaving = new Set<Promise<void>>()

  /** A call has begun it, and will wait. */
  begun(id: string): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, 0)
  }

  /** What was cancelled before is stopped: nobody joins it any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#leaving)
  }

  /**
   * @param work waits; when it ends by itself, the client learns the handle
   * @param signal of the call
   * @param stop called where nobody wants the run any more
   * @throws what `work` throws
   */
  wait(
    id: string,
    { signal, ...how }: { work(): Promise<void>; signal: AbortSignal; stop(): Promise<void> },
  ): Promise<void> {
    const waited = this.#wait(id, { signal, ...how })
    const leave = () => void this.#leaving.add(waited)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return waited.finally(() => {
      signal.removeEventListener('abort', leave)
      this.#leaving.delete(waited)
    })
  }

  async #wait(
    id: string,
    { work, signal, stop }: { work(): Promise<void>; signal: AbortSignal; stop(): Promise<void> },
  ): Promise<void> {
    this.#count(id, 1)
    try {
      await work()
      signal.throwIfAborted()
      this.#waiting.delete(id)
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

  /** Of one whose handle was given, nothing is counted. */
  #count(id: string, more: number): void {
    const before = this.#waiting.get(id)
    if (before !== undefined) this.#waiting.set(id, before + more)
  }
}
