/**
 * Readings that calls began and whose handle nobody has yet. When all who wait for one have gone away, nobody can ask for it any
 * more, and it is stopped.
 */
export class WantedRuns {
  readonly #waiting = new Map<string, number>()

  /** A call has begun it, and will wait. */
  begun(id: string): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, 0)
  }

  /**
   * @param work waits; when it ends by itself, the client learns the handle
   * @param signal of the call
   * @param stop called where nobody wants the run any more
   * @throws what `work` throws
   */
  async wait(
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
