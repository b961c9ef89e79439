/**
 * A pool of reusable memory. Caches of many sequences are copied whenever the batch changes; fresh memory for every copy
 * would have to be cleared first, and would keep the garbage collector busy.
 */
export class FloatPool {
  /** By size in bytes, as returned by `roundedUp`. */
  readonly #free = new Map<number, ArrayBuffer[]>()
  readonly #mostKept: number
  #kept = 0

  /** @param mostKept bytes to keep for reuse; memory returned beyond that is freed. @default 512 MiB */
  constructor(mostKept = 2 ** 29) {
    this.#mostKept = mostKept
  }

  /** The numbers are uninitialized: write them before reading. */
  take(length: number): Float32Array {
    const bytes = roundedUp(length * Float32Array.BYTES_PER_ELEMENT)
    let best = Number.POSITIVE_INFINITY
    for (const [size, buffers] of this.#free) {
      // Giving much larger memory to a small array would leave none for the next large one.
      if (size >= bytes && size <= 4 * bytes && size < best && buffers.length > 0) best = size
    }
    const buffer = this.#free.get(best)?.pop()
    if (buffer) this.#kept -= best
    return new Float32Array(buffer ?? new ArrayBuffer(bytes), 0, length)
  }

  /** Returns memory to the pool; it must not be read afterwards. */
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

/** Rounds up to the next quarter of a power of two, so slightly longer arrays fit the memory of earlier ones. */
function roundedUp(bytes: number): number {
  if (bytes <= 16) return bytes
  const quarter = 2 ** (Math.floor(Math.log2(bytes)) - 2)
  return Math.ceil(bytes / quarter) * quarter
}
