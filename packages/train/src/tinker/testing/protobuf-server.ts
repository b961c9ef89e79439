/** The server's side of the binary messages, written without the client's codec for them. */
import { Proto3Writer } from '../../proto3-writer.ts'
import { protobufFields } from '../protobuf-fields.ts'

/** `ForwardBackwardRequest` in the form of the JSON bodies. */
export function decodeRequest(bytes: Uint8Array) {
  const request = { model_id: '', seq_id: 0, isForward: false }
  const input = { data: [] as unknown[], loss_fn: '', loss_fn_config: {} as Record<string, number> }
  for (const { field, integer, bytes: value } of protobufFields(bytes)) {
    if (field === 1) request.model_id = textOf(value)
    if (field === 2) request.seq_id = integer
    if (field === 3) input.data.push(decodeDatum(value))
    if (field === 4) input.loss_fn = textOf(value)
    if (field === 5) {
      const [key, number] = [...protobufFields(value)]
      input.loss_fn_config[textOf(key!.bytes)] = number?.double ?? 0
    }
    if (field === 6) request.isForward = integer === 1
  }
  return { ...request, input }
}

function decodeDatum(bytes: Uint8Array) {
  const tokens: number[] = []
  const inputs: Record<string, unknown> = {}
  for (const { field, bytes: value } of protobufFields(bytes)) {
    if (field === 1) {
      for (const chunk of protobufFields(value)) {
        for (const text of protobufFields(chunk.bytes)) tokens.push(...new Int32Array(copyOf(text.bytes)))
      }
    } else {
      let name = ''
      for (const entry of protobufFields(value)) {
        if (entry.field === 1) name = textOf(entry.bytes)
        else inputs[name] = decodeTensor(entry.bytes)
      }
    }
  }
  return { model_input: { chunks: [{ type: 'encoded_text', tokens }] }, loss_fn_inputs: inputs }
}

function decodeTensor(bytes: Uint8Array) {
  let dense = new ArrayBuffer(0)
  let isInteger = false
  for (const { field, integer, bytes: value } of protobufFields(bytes)) {
    if (field === 1) dense = copyOf(value)
    if (field === 3) isInteger = integer === 2
  }
  const data = isInteger ? Array.from(new BigInt64Array(dense), Number) : [...new Float32Array(dense)]
  return { data, dtype: isInteger ? 'int64' : 'float32', shape: [data.length] }
}

interface LossResult {
  readonly loss_fn_output_type: string
  readonly loss_fn_outputs: readonly Readonly<Record<string, { readonly data: readonly number[] }>>[]
  readonly metrics: Readonly<Record<string, number>>
}

/** `ForwardBackwardOutput`. */
export function encodeLossResult(result: LossResult): Uint8Array {
  const writer = new Proto3Writer().text(1, `SkyRL:${result.loss_fn_output_type}`)
  const outputs = result.loss_fn_outputs
  writer.nested(2, (record) => {
    for (const name of Object.keys(outputs[0] ?? {})) {
      const parts = outputs.map((output) => Float32Array.from(output[name]!.data))
      const offsets = [0]
      for (const part of parts) offsets.push(offsets.at(-1)! + part.byteLength)
      const data = Buffer.concat(parts.map((part) => new Uint8Array(part.buffer)))
      record.nested(2, (entry) =>
        entry.text(1, name).nested(2, (batched) =>
          batched
            .bytes(1, data)
            .bytes(2, new Uint8Array(BigInt64Array.from(offsets, BigInt).buffer))
            .integer(3, 1),
        ),
      )
    }
    record.integer(3, outputs.length)
  })
  for (const [name, value] of Object.entries(result.metrics)) {
    writer.nested(3, (entry) => entry.text(1, name).double(2, value))
  }
  return writer.finish()
}

interface SampleResult {
  readonly sequences: readonly {
    readonly stop_reason: string
    readonly tokens: readonly number[]
    readonly logprobs: readonly number[] | null
  }[]
  readonly prompt_logprobs: readonly (number | null)[] | null
}

/** `SampleResponse`. */
export function encodeSampleResult(result: SampleResult): Uint8Array {
  const writer = new Proto3Writer()
  const floats = (values: readonly (number | null)[]) =>
    new Uint8Array(Float32Array.from(values, (value) => value ?? Number.NaN).buffer)
  for (const { stop_reason, tokens, logprobs } of result.sequences) {
    writer.nested(1, (sequence) => {
      sequence.integer(1, stop_reason === 'length' ? 1 : 0)
      sequence.bytes(2, new Uint8Array(Int32Array.from(tokens).buffer))
      if (logprobs) sequence.bytes(3, floats(logprobs))
    })
  }
  if (result.prompt_logprobs) writer.bytes(2, floats(result.prompt_logprobs))
  return writer.finish()
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
