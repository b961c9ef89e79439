/** Writes the protobuf wire format: varints, length-delimited fields, floats and doubles. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = []
  #length = 0

  /** int32, int64, enum and bool fields. */
  integer(field: number, value: number | bigint): this {
    return this.varint(field << 3).varint(value)
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4)
    new DataView(bytes.buffer).setFloat32(0, value, true)
    return this.varint((field << 3) | 5).#append(bytes)
  }

  double(field: number, value: number): this {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setFloat64(0, value, true)
    return this.varint((field << 3) | 1).#append(bytes)
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value))
  }

  /** The message's bytes are copied once, at the end, at any depth: weights are large. */
  message(field: number, value: ProtobufWriter): this {
    this.#header(field, value.#length)
    for (const part of value.#parts) this.#append(part)
    return this
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#header(field, value.length).#append(value)
  }

  finish(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#length)
    let at = 0
    for (const part of this.#parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  }

  #header(field: number, length: number): this {
    return this.varint((field << 3) | 2).varint(length)
  }

  /** Without a tag; negative numbers as 64-bit two's complement. */
  varint(value: number | bigint): this {
    const bytes: number[] = []
    let rest = BigInt.asUintN(64, BigInt(value))
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
    bytes.push(Number(rest))
    return this.#append(Uint8Array.from(bytes))
  }

  #append(part: Uint8Array): this {
    this.#parts.push(part)
    this.#length += part.length
    return this
  }
}
