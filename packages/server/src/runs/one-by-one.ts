/** What changes the same thing is done one after the other, in order; what changes others does not wait for it. */
export class OneByOne {
  readonly #last = new Map<string, Promise<unknown>>()

  /** @returns @throws what the change does */
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
