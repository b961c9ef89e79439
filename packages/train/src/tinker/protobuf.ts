/**
 * The protobuf wire format, as far as the Tinker protocol needs it: varints, doubles and length-delimited fields. Fields
 * that a reader does not know are skipped.
 */
import { protocolError } from './errors.ts'

export class ProtobufWriter {
  readonly #parts: Uint8Array[] = []
  #length = 0

  /** int32, int64, enum and bool. Zero is the default and is left out, as proto3 does. */
  integer(field: number, value: number | bigint): this {
    return value === 0 || value === 0n ? this : this.#tag(field, 0).varint(value)
  }

  text(field: number, value: string): this {
    return value === '' ? this : this.bytes(field, new TextEncoder().encode(value))
  }

  /** Written even if empty: presence matters for members of a list, a map, or a choice. */
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

export interface ProtobufField {
  readonly field: number
  /** Wire type 0. */
  readonly integer: number
  /** Wire type 1. */
  readonly double: number
  /** Wire type 2; a view. */
  readonly bytes: Uint8Array
}

const empty = new Uint8Array(0)

/** The fields of a message in their order. @throws TinkerProtocolError when the message stops in the middle */
export function* protobufFields(message: Uint8Array): Generator<ProtobufField> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (at >= message.length) break
      const byte = message[at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asIntN(64, value)
    }
    throw protocolError('A protobuf answer stops in the middle of a number.')
  }
  const take = (length: number): Uint8Array => {
    if (length < 0 || at + length > message.length) {
      throw protocolError(`A protobuf answer of ${message.length} bytes stops in the middle of a field.`)
    }
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const field = Math.floor(tag / 8)
    const none = { field, integer: 0, double: 0, bytes: empty }
    const wireType = tag & 7
    if (wireType === 0) yield { ...none, integer: Number(varint()) }
    else if (wireType === 1) {
      take(8)
      yield { ...none, double: view.getFloat64(at - 8, true) }
    } else if (wireType === 2) yield { ...none, bytes: take(Number(varint())) }
    else if (wireType === 5) yield { ...none, bytes: take(4) }
    else throw protocolError(`A protobuf answer has a field of the wire type ${wireType}.`)
  }
}
