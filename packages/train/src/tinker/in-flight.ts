/** How much is on its way at the same time: what waits for its turn need not be built yet. */

export class InFlight {
  readonly #maxBytes: number
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Runs when there is room, in the order of the calls; what is larger than all the room runs alone. */
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
      // Counts from now on: it runs on a little later.
      this.#bytes += bytes
      enter()
    }
  }
}
