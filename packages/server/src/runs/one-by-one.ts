/** Runs changes of the same thing one after another, in order; changes of other things do not wait. */
export class OneByOne {
  readonly #last = new Map<string, Promise<unknown>>()

  /** @returns the result of the change @throws what it throws */
  async change<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(id)
    const changed = (before ?? Promise.resolve()).then(change)
    const settled = changed.catch(() => undefined)
    this.#last.set(id, settled)
    try {
      return await changed
    } finally {
      if (this.#last.get(id) === settled) this.#last.delete(id)
    }
  }
}
