/** Limits the bytes in flight, so waiting requests need not be built yet. */

export class InFlight {
  readonly #maxBytes: number
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Runs the task when there is room, in call order; a task larger than the whole limit runs alone. */
  async run<T>(bytes: number, task: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      await new Promise<void>((enter) => {
        this.#waiting.push({ bytes, enter })
      })
    } else this.#bytes += bytes
    try {
      return await task()
    } finally {
      this.#bytes -= bytes
      this.#admit()
    }
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#maxBytes
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#fits(this.#waiting[0]!.bytes)) {
      const { bytes, enter } = this.#waiting.shift()!
      // Count it now, although it starts a little later.
      this.#bytes += bytes
      enter()
    }
  }
}
