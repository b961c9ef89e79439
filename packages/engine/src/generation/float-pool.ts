/**
 * Memory that is used again. Caches of many sequences are copied whenever the batch changes; fresh memory for every copy
 * would be cleared first, and would make the collector run all the time.
 */
export class FloatPool {
  readonly #free: ArrayBuffer[] = []

  /** Numbers of any value: whoever takes them writes what counts. */
  take(length: number): Float32Array {
    const bytes = length * Float32Array.BYTES_PER_ELEMENT
    let best = -1
    for (const [i, { byteLength }] of this.#free.entries()) {
      if (byteLength >= bytes && (best < 0 || byteLength < this.#free[best]!.byteLength)) best = i
    }
    const buffer = best < 0 ? undefined : this.#free.splice(best, 1)[0]
    return new Float32Array(buffer ?? new ArrayBuffer(bytes), 0, length)
  }

  /** Nobody may read the memory afterwards. The smallest pieces are let go when there are many. */
  give(values: readonly Float32Array[]): void {
    for (const { buffer } of values) this.#free.push(buffer as ArrayBuffer)
    this.#free.sort((a, b) => b.byteLength - a.byteLength)
    this.#free.length = Math.min(this.#free.length, mostKept)
  }
}

/** Two stores of a model with 32 layers. */
const mostKept = 128
