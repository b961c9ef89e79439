/** How far a reading is, how fast it is, and how long it will take. */
export class Pace {
  readonly #now: () => number
  readonly #bytesInAll: number | undefined
  readonly #bytesBefore: number
  #startedMs: number
  #chunks = 0
  #bytes = 0
  #cachedBytes = 0

  /**
   * @param bytesInAll to be read, for all questions together; undefined if unknown
   * @param bytesBefore read earlier
   * @param now milliseconds
   */
  constructor(bytesInAll: number | undefined, bytesBefore: number, now: () => number) {
    this.#bytesInAll = bytesInAll
    this.#bytesBefore = bytesBefore
    this.#now = now
    this.#startedMs = now()
  }

  add(bytes: number): void {
    this.#chunks += 1
    this.#bytes += bytes
  }

  /** Answered from the cache, which says nothing about the speed of the rest. */
  addCached(bytes: number): void {
    this.#cachedBytes += bytes
  }

  get bytes(): number {
    return this.#bytesBefore + this.#bytes + this.#cachedBytes
  }

  get chunksPerSecond(): number | undefined {
    const seconds = this.#seconds
    return this.#chunks > 0 && seconds > 0 ? this.#chunks / seconds : undefined
  }

  get secondsLeft(): number | undefined {
    if (this.#bytesInAll === undefined || this.#bytes === 0) return undefined
    return (this.#seconds * Math.max(0, this.#bytesInAll - this.bytes)) / this.#bytes
  }

  get #seconds(): number {
    return (this.#now() - this.#startedMs) / 1000
  }
}
