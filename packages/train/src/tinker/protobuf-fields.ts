/** Reads the protobuf wire format as far as the Tinker protocol needs it. Readers skip unknown fields. */
import { protocolError } from './errors.ts'

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

/** The fields of a message, in order. @throws TinkerProtocolError if the message is truncated */
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
