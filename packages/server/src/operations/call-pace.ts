/** How long recent calls took. */
export class CallPace {
  #mean: number | undefined
  #calls = 0

  add(seconds: number): void {
    this.#calls = Math.min(this.#calls + 1, mostRemembered)
    this.#mean = (this.#mean ?? seconds) + (seconds - (this.#mean ?? seconds)) / this.#calls
  }

  /** In seconds; undefined before the first call. */
  get mean(): number | undefined {
    return this.#mean
  }
}

/** Earlier calls count less and less. */
const mostRemembered = 200
