/**
 * The messages of the package `tinker_public` (proto3) that the protocol sends in binary: forward_backward requests,
 * and the results of forward_backward and asample. Field numbers are those of the official SDK 0.25.
 */

import { Proto3Writer } from '../proto3-writer.ts'
import { protocolError } from './errors.ts'
import { type ProtobufField, protobufFields } from './protobuf-fields.ts'
import type { LossInput, SampleOutput, TensorData } from './wire.ts'

export const dataTypes = { float32: 1, int64: 2, int32: 3, bfloat16: 4 } as const

export interface ForwardBackwardMessage {
  readonly modelId: string
  readonly seqId: number
  readonly input: LossInput
  /** Whether no gradient is requested. */
  readonly isForward: boolean
}

/** `ForwardBackwardRequest`. */
export function encodeForwardBackward(message: ForwardBackwardMessage): Uint8Array<ArrayBuffer> {
  const { modelId, seqId, input, isForward } = message
  const writer = new Proto3Writer().text(1, modelId).integer(2, seqId)
  for (const { model_input, loss_fn_inputs } of input.data) {
    writer.nested(3, (datum) => {
      for (const { tokens } of model_input.chunks) {
        datum.nested(1, (chunk) => chunk.nested(1, (text) => text.bytes(1, bytesOf(Int32Array.from(tokens)))))
      }
      for (const [name, tensor] of Object.entries(loss_fn_inputs)) {
        datum.nested(2, (entry) => entry.text(1, name).nested(2, (value) => writeTensor(value, tensor)))
      }
    })
  }
  writer.text(4, input.loss_fn)
  for (const [name, value] of Object.entries(input.loss_fn_config ?? {})) {
    writer.nested(5, (entry) => entry.text(1, name).double(2, value))
  }
  return writer.integer(6, Number(isForward)).finish()
}

function writeTensor(writer: Proto3Writer, { data, dtype, shape }: TensorData): void {
  const values = dtype === 'float32' ? Float32Array.from(data) : BigInt64Array.from(data, BigInt)
  writer.bytes(1, bytesOf(values)).integer(3, dataTypes[dtype]).packedIntegers(4, shape)
}

/** `ForwardBackwardOutput`, in the form of the JSON result, to be validated as one. @throws TinkerProtocolError */
export function decodeLossOutput(bytes: Uint8Array) {
  const outputs: Record<string, TensorData>[] = []
  const metrics: [string, number][] = []
  for (const { field, bytes: value } of protobufFields(bytes)) {
    if (field === 2) for (const output of decodeRecord(value)) outputs.push(output)
    if (field === 3) {
      const { key, value: number } = mapEntry(value)
      metrics.push([key, number?.double ?? 0])
    }
  }
  return { loss_fn_outputs: outputs, metrics: Object.fromEntries(metrics) }
}

/** `ArrayRecord`: the named arrays of several datums, each stored as contiguous bytes with offsets. */
function decodeRecord(record: Uint8Array): Record<string, TensorData>[] {
  let count = 0
  const columns: [string, TensorData[]][] = []
  for (const { field, integer, bytes } of protobufFields(record)) {
    if (field === 2) {
      const { key, value } = mapEntry(bytes)
      columns.push([key, decodeBatched(value?.bytes ?? new Uint8Array(0))])
    }
    if (field === 3) count = integer
  }
  for (const [name, tensors] of columns) {
    if (tensors.length !== count) {
      throw protocolError(`A result has ${tensors.length} arrays "${name}" for ${count} datums.`)
    }
  }
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(columns.map(([name, tensors]) => [name, tensors[i]!])),
  )
}

function decodeBatched(tensor: Uint8Array): TensorData[] {
  let data = new Uint8Array(0)
  let offsets = new BigInt64Array(0)
  let type = 0
  for (const { field, integer, bytes } of protobufFields(tensor)) {
    if (field === 1) data = new Uint8Array(bytes)
    if (field === 2) offsets = new BigInt64Array(aligned(bytes, 8))
    if (field === 3) type = integer
  }
  return Array.from({ length: Math.max(0, offsets.length - 1) }, (_, i) => {
    const part = data.subarray(Number(offsets[i]), Number(offsets[i + 1]))
    const values = numbersOf(part, type)
    return { data: values, dtype: type === 1 || type === 4 ? 'float32' : 'int64', shape: [values.length] }
  })
}

function numbersOf(bytes: Uint8Array, type: number): number[] {
  switch (type) {
    case dataTypes.float32:
      return [...new Float32Array(aligned(bytes, 4))]
    case dataTypes.int32:
      return [...new Int32Array(aligned(bytes, 4))]
    case dataTypes.int64:
      return Array.from(new BigInt64Array(aligned(bytes, 8)), Number)
    case dataTypes.bfloat16: {
      // The upper half of a 32-bit float.
      const halves = new Uint16Array(aligned(bytes, 2))
      return [...new Float32Array(Uint32Array.from(halves, (half) => half * 65536).buffer)]
    }
    default:
      throw protocolError(`A result has numbers of the unknown type ${type}.`)
  }
}

/** `SampleResponse`, in the form of the JSON result. @throws TinkerProtocolError */
export function decodeSample(bytes: Uint8Array): SampleOutput {
  const sequences: SampleOutput['sequences'] = []
  let promptLogprobs: (number | null)[] | undefined
  for (const { field, bytes: value } of protobufFields(bytes)) {
    if (field === 1) sequences.push(decodeSequence(value))
    if (field === 2) {
      promptLogprobs = Array.from(new Float32Array(aligned(value, 4)), (logprob) =>
        Number.isNaN(logprob) ? null : logprob,
      )
    }
  }
  return { sequences, prompt_logprobs: promptLogprobs }
}

function decodeSequence(sequence: Uint8Array): SampleOutput['sequences'][number] {
  let stopReason: 'stop' | 'length' = 'stop'
  let tokens: number[] = []
  let logprobs: number[] | undefined
  for (const { field, integer, bytes } of protobufFields(sequence)) {
    if (field === 1) stopReason = integer === 1 ? 'length' : 'stop'
    if (field === 2) tokens = [...new Int32Array(aligned(bytes, 4))]
    if (field === 3) logprobs = [...new Float32Array(aligned(bytes, 4))]
  }
  return { stop_reason: stopReason, tokens, logprobs }
}

/** Map entries are messages of a key and a value. */
function mapEntry(entry: Uint8Array): { key: string; value: ProtobufField | undefined } {
  let key = ''
  let value: ProtobufField | undefined
  for (const field of protobufFields(entry)) {
    if (field.field === 1) key = new TextDecoder().decode(field.bytes)
    if (field.field === 2) value = field
  }
  return { key, value }
}

/** A copy, aligned for typed arrays. */
function aligned(bytes: Uint8Array, size: number): ArrayBuffer {
  if (bytes.length % size !== 0) {
    throw protocolError(`A protobuf array has ${bytes.length} bytes, not a multiple of ${size}.`)
  }
  return new Uint8Array(bytes).buffer
}

const bytesOf = (values: Int32Array | Float32Array | BigInt64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
