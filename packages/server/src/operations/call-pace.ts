/** How long calls take, of late. */
export class CallPace {
  #mean: number | undefined
  #calls = 0

  add(seconds: number): void {
    this.#calls = Math.min(this.#calls + 1, mostRemembered)
    this.#mean = (this.#mean ?? seconds) + (seconds - (this.#mean ?? seconds)) / this.#calls
  }

  /** Seconds. Undefined: there was none yet. */
  get mean(): number | undefined {
    return this.#mean
  }
}

/** Earlier calls count less and less. */
const mostRemembered = 200
