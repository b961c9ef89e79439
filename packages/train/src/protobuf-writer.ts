/** Writes the protobuf wire format: varints, doubles, 32-bit floats and length-delimited fields. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = []
  #length = 0

  /** int32, int64, enum and bool. Omits zero, the default, as proto3 does. */
  integer(field: number, value: number | bigint): this {
    return value === 0 || value === 0n ? this : this.#tag(field, 0).varint(value)
  }

  text(field: number, value: string): this {
    return value === '' ? this : this.bytes(field, new TextEncoder().encode(value))
  }

  /** Written even if empty: presence matters for members of a list, a map or a oneof. */
  message(field: number, build: (writer: ProtobufWriter) => unknown): this {
    const writer = new ProtobufWriter()
    build(writer)
    return this.bytes(field, writer.finish())
  }

  double(field: number, value: number): this {
    if (Object.is(value, 0)) return this
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setFloat64(0, value, true)
    return this.#tag(field, 1).#append(bytes)
  }

  /** Written even if zero: it is a member of a oneof. */
  float(field: number, value: number): this {
    const bytes = new Uint8Array(4)
    new DataView(bytes.buffer).setFloat32(0, value, true)
    return this.#tag(field, 5).#append(bytes)
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#tag(field, 2).varint(value.length).#append(value)
  }

  packedIntegers(field: number, values: readonly number[]): this {
    if (values.length === 0) return this
    const writer = new ProtobufWriter()
    for (const value of values) writer.varint(value)
    return this.bytes(field, writer.finish())
  }

  /** Without a tag; negative numbers as 64-bit two's complement. */
  varint(value: number | bigint): this {
    const bytes: number[] = []
    let rest = BigInt.asUintN(64, BigInt(value))
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
    bytes.push(Number(rest))
    return this.#append(Uint8Array.from(bytes))
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

  #tag(field: number, wireType: number): this {
    return this.varint((field << 3) | wireType)
  }

  #append(part: Uint8Array): this {
    this.#parts.push(part)
    this.#length += part.length
    return this
  }
}
