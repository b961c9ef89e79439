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

  /** Uninitialized numbers: the taker writes what it reads. */
  take(length: number): Float32Array {
    const bytes = roundedUp(length * Float32Array.BYTES_PER_ELEMENT)
    let best = Number.POSITIVE_INFINITY
    for (const [size, buffers] of this.#free) {
      // A small array in much larger memory would leave the next large one without.
      if (size >= bytes && size <= 4 * bytes && size < best && buffers.length > 0) best = size
    }
    const buffer = this.#free.get(best)?.pop()
    if (buffer) this.#kept -= best
    return new Float32Array(buffer ?? new ArrayBuffer(bytes), 0, length)
  }

  /** Returns memory that was taken here. Nobody may read it afterwards. */
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

/** To the next quarter of a power of two, so that slightly longer arrays fit the memory of earlier ones. */
function roundedUp(bytes: number): number {
  if (bytes <= 16) return bytes
  const quarter = 2 ** (Math.floor(Math.log2(bytes)) - 2)
  return Math.ceil(bytes / quarter) * quarter
}
