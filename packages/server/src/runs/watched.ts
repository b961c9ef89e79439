/** Something that changes, and those who wait for changes. */
export class Watched {
  #version = 0
  readonly #waiting = new Set<() => void>()

  /** Counts changes. Take it before looking, so that none is missed. */
  get version(): number {
    return this.#version
  }

  change(): void {
    this.#version += 1
    for (const wake of [...this.#waiting]) wake()
  }

  /** Waits until the version differs, the time is up, or the signal aborts. Never throws. */
  async changedSince(version: number, ms: number, signal: AbortSignal): Promise<void> {
    if (version !== this.#version || signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal.addEventListener('abort', wake)
      this.#waiting.add(wake)
    })
  }
}
