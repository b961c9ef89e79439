/** Lists of thousands of items that take little room and open at once. */
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate'

/** Items per part. */
export const partSize = 100
/** Parts kept as objects, besides the last one. */
const mostOpen = 8

/** A list as JSON. */
export interface Packed {
  readonly length: number
  /** Each is the JSON of `partSize` items, compressed, in base64; the last holds the rest. */
  readonly parts: readonly string[]
}

/** A list that keeps only the parts in use as objects, and the rest as compressed text. */
export class PackedList<Value> {
  /** The full ones. */
  readonly #parts: string[]
  #last: Value[]
  readonly #open = new Map<number, readonly Value[]>()

  constructor({ length, parts }: Packed = { length: 0, parts: [] }) {
    const full = Math.floor(length / partSize)
    this.#parts = parts.slice(0, full)
    this.#last = parts.length > full ? unpacked(parts[full]!) : []
  }

  get length(): number {
    return this.#parts.length * partSize + this.#last.length
  }

  /** @returns undefined beyond the ends */
  at(index: number): Value | undefined {
    return index < 0 ? undefined : this.#part(Math.floor(index / partSize))?.[index % partSize]
  }

  push(value: Value): void {
    this.#last.push(value)
    if (this.#last.length < partSize) return
    this.#parts.push(packed(this.#last))
    this.#last = []
  }

  *entries(): Generator<readonly [index: number, value: Value]> {
    for (let index = 0; index < this.length; index++) yield [index, this.at(index)!]
  }

  packed(): Packed {
    const rest = this.#last.length > 0 ? [packed(this.#last)] : []
    return { length: this.length, parts: [...this.#parts, ...rest] }
  }

  #part(number: number): readonly Value[] | undefined {
    if (number >= this.#parts.length) return number === this.#parts.length ? this.#last : undefined
    const part = this.#open.get(number) ?? unpacked<Value>(this.#parts[number]!)
    // Evicts the least recently used part.
    this.#open.delete(number)
    this.#open.set(number, part)
    if (this.#open.size > mostOpen) this.#open.delete(this.#open.keys().next().value!)
    return part
  }
}

export function packedList<Value>(values: Iterable<Value>): PackedList<Value> {
  const list = new PackedList<Value>()
  for (const value of values) list.push(value)
  return list
}

// `btoa` takes Latin-1, a byte per character.
const packed = (values: readonly unknown[]): string =>
  btoa(strFromU8(deflateSync(strToU8(JSON.stringify(values))), true))

const unpacked = <Value>(part: string): Value[] =>
  JSON.parse(strFromU8(inflateSync(strToU8(atob(part), true))))
