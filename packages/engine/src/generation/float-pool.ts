/**
 * Memory that is used again. Caches of many sequences are copied whenever the batch changes; fresh memory for every copy
 * would be cleared first, and would make the collector run all the time.
 */
export class FloatPool {
  /** By size in bytes, which is one that `roundedUp` gives. */
  readonly #free = new Map<number, ArrayBuffer[]>()
  readonly #mostKept: number
  #kept = 0

  /** @param mostKept bytes that may wait to be used again; what comes back beyond that is let go. @default 512 MiB */
  constructor(mostKept = 2 ** 29) {
    this.#mostKept = mostKept
  }

  /** Numbers of any value: whoever takes them writes what counts. */
  take(length: number): Float32Array {
    const bytes = roundedUp(length * Float32Array.BYTES_PER_ELEMENT)
    let best = Number.POSITIVE_INFINITY
    for (const [size, buffers] of this.#free) {
      // A small piece in much larger memory would leave the next large one without.
      if (size >= bytes && size <= 4 * bytes && size < best && buffers.length > 0) best = size
    }
    const buffer = this.#free.get(best)?.pop()
    if (buffer) this.#kept -= best
    return new Float32Array(buffer ?? new ArrayBuffer(bytes), 0, length)
  }

  /** Memory that was taken here. Nobody may read it afterwards. */
  give(values: readonly Float32Array[]): void {
    for (const { buffer } of values) {
      const size = buffer.byteLength
      if (size === 0 || this.#kept + size > this.#mostKept) continue
      const buffers = this.#free.get(size) ?? []
      buffers.push(buffer as ArrayBuffer)
      this.#free.set(size, buffers)
      this.#kept += size
    }
  }
}

/** To the next quarter of a power of two: what is a little longer than last time finds room in the memory of that time. */
function roundedUp(bytes: number): number {
  if (bytes <= 16) return bytes
  const quarter = 2 ** (Math.floor(Math.log2(bytes)) - 2)
  return Math.ceil(bytes / quarter) * quarter
}
