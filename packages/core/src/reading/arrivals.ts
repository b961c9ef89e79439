/** Items of a stream, taken as they arrive. Items taken may be given back. */
export class Arrivals<Item> {
  readonly #iterator: AsyncIterator<Item>
  #items: Item[] = []
  #next: Promise<void> | undefined
  #hasEnded = false
  #failure: { readonly error: unknown } | undefined

  constructor(source: AsyncIterable<Item>) {
    this.#iterator = source[Symbol.asyncIterator]()
  }

  /** Undefined when none has arrived. */
  take(): Item | undefined {
    return this.#items.shift()
  }

  /** Puts items back, to be taken next. */
  giveBack(items: readonly Item[]): void {
    this.#items.unshift(...items)
  }

  /** Whether all items were taken. @throws the source's error, after the items before it */
  get isEmpty(): boolean {
    if (this.#items.length > 0) return false
    if (this.#failure) throw this.#failure.error
    return this.#hasEnded
  }

  /** Resolves when another item arrives or the stream ends; undefined if there is nothing to wait for. */
  get arrival(): Promise<void> | undefined {
    if (this.#items.length > 0 || this.#hasEnded || this.#failure) return undefined
    this.#next ??= this.#iterator
      .next()
      .then(
        (next) => {
          if (next.done) this.#hasEnded = true
          else this.#items.push(next.value)
        },
        (error: unknown) => {
          this.#failure = { error }
        },
      )
      .finally(() => {
        this.#next = undefined
      })
    return this.#next
  }

  /** Does not wait for a source that has no item to give. */
  async close(): Promise<void> {
    const closed = this.#iterator.return?.()
    if (this.#next) closed?.catch(() => undefined)
    else await closed
  }
}
