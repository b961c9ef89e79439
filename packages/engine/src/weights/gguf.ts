/**
 * Writes the GGUF format, version 3, as llama.cpp reads it: metadata, tensor descriptions, aligned tensor data.
 * Source: github.com/ggml-org/ggml, docs/gguf.md. It knows nothing about models; see `llama-gguf.ts`.
 */
import { EngineError } from '../errors.ts'
import { encodeNumbers } from './number-formats.ts'

/** Type numbers of metadata values. */
const valueTypes = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const

export type GgufValue =
  | { readonly uint32: number }
  | { readonly float32: number }
  | { readonly bool: boolean }
  | { readonly string: string }
  | { readonly strings: readonly string[] }
  | { readonly int32s: readonly number[] }

export type GgufNumberType = 'F32' | 'F16'

const tensorTypes: Record<GgufNumberType, number> = { F32: 0, F16: 1 }

export interface GgufTensor {
  readonly name: string
  /** Row-major, outermost first (the format itself lists them innermost first). */
  readonly shape: readonly number[]
  readonly type: GgufNumberType
  readonly values: Float32Array
}

const alignment = 32
const align = (length: number) => Math.ceil(length / alignment) * alignment

/** @throws EngineError when a tensor's numbers do not fill its shape */
export function serializeGguf(
  metadata: ReadonlyMap<string, GgufValue>,
  tensors: readonly GgufTensor[],
): Uint8Array {
  const header = new ByteWriter()
  header.bytes(new TextEncoder().encode('GGUF'))
  header.uint32(3)
  header.uint64(tensors.length)
  header.uint64(metadata.size)
  for (const [key, value] of metadata) {
    header.string(key)
    writeValue(header, value)
  }
  let offset = 0
  const places: number[] = []
  for (const { name, shape, type, values } of tensors) {
    const size = shape.reduce((product, dimension) => product * dimension, 1)
    if (values.length !== size) {
      throw new EngineError({
        code: 'engine/gguf',
        message: `The tensor ${name} has ${values.length} numbers, and its shape [${shape.join(', ')}] has room for ${size}.`,
      })
    }
    header.string(name)
    header.uint32(shape.length)
    for (const dimension of [...shape].reverse()) header.uint64(dimension)
    header.uint32(tensorTypes[type])
    header.uint64(offset)
    places.push(offset)
    offset = align(offset + values.length * (type === 'F32' ? 4 : 2))
  }
  const head = header.finish()
  const start = align(head.length)
  const file = new Uint8Array(start + offset)
  file.set(head)
  tensors.forEach(({ values, type }, i) => {
    file.set(encodeNumbers(values, type), start + places[i]!)
  })
  return file
}

function writeValue(writer: ByteWriter, value: GgufValue): void {
  if ('uint32' in value) {
    writer.uint32(valueTypes.uint32)
    writer.uint32(value.uint32)
  } else if ('float32' in value) {
    writer.uint32(valueTypes.float32)
    writer.float32(value.float32)
  } else if ('bool' in value) {
    writer.uint32(valueTypes.bool)
    writer.bytes(Uint8Array.of(value.bool ? 1 : 0))
  } else if ('string' in value) {
    writer.uint32(valueTypes.string)
    writer.string(value.string)
  } else if ('strings' in value) {
    writer.uint32(valueTypes.array)
    writer.uint32(valueTypes.string)
    writer.uint64(value.strings.length)
    for (const item of value.strings) writer.string(item)
  } else {
    writer.uint32(valueTypes.array)
    writer.uint32(valueTypes.int32)
    writer.uint64(value.int32s.length)
    for (const item of value.int32s) writer.uint32(item >>> 0)
  }
}

/** Little-endian, growing. */
class ByteWriter {
  #buffer = new Uint8Array(1 << 16)
  #view = new DataView(this.#buffer.buffer)
  #length = 0
  readonly #encoder = new TextEncoder()

  bytes(bytes: Uint8Array): void {
    const at = this.#room(bytes.length)
    this.#buffer.set(bytes, at)
  }

  uint32(value: number): void {
    const at = this.#room(4)
    this.#view.setUint32(at, value, true)
  }

  uint64(value: number): void {
    const at = this.#room(8)
    this.#view.setBigUint64(at, BigInt(value), true)
  }

  float32(value: number): void {
    const at = this.#room(4)
    this.#view.setFloat32(at, value, true)
  }

  string(text: string): void {
    const bytes = this.#encoder.encode(text)
    this.uint64(bytes.length)
    this.bytes(bytes)
  }

  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Makes room for `count` more bytes and returns their offset. */
  #room(count: number): number {
    const at = this.#length
    this.#length += count
    if (this.#length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#buffer.length))
      larger.set(this.#buffer)
      this.#buffer = larger
      this.#view = new DataView(larger.buffer)
    }
    return at
  }
}
