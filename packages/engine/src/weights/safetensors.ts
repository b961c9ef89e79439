/**
 * The safetensors format: 8 bytes with the header's length, a JSON header, then the tensors' bytes without gaps.
 * Read as float32 from F32, F16 and BF16; written as F32, F16 or BF16 (values rounded to nearest, ties to even).
 */
import { readFile } from 'node:fs/promises'
import { whyUnreadable } from '@memagent/core/node'
import { EngineError } from '../errors.ts'
import type { Weights } from '../models/llama-config.ts'
import { bytesPerNumber, decodeNumbers, encodeNumbers, type StorageType } from './number-formats.ts'
import { replaceFile } from './replace-file.ts'

interface HeaderEntry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

/** A header larger than this is an attack or not a safetensors file. */
const maxHeaderBytes = 100_000_000

export interface SafetensorsContent {
  readonly weights: Weights
  readonly shapes: ReadonlyMap<string, readonly number[]>
}

/** @throws EngineError when the file is incomplete or not safetensors */
export function parseSafetensors(bytes: Uint8Array, name: string): SafetensorsContent {
  const fail = (message: string, cause?: unknown): never => {
    throw new EngineError({
      code: 'engine/safetensors',
      message: `${name} is not a valid safetensors file: ${message}.`,
      cause,
    })
  }
  if (bytes.length < 8) fail('it has no header')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headerLength = Number(view.getBigUint64(0, true))
  if (headerLength > Math.min(maxHeaderBytes, bytes.length - 8))
    fail(`its header claims ${headerLength} bytes`)
  const header = parseHeader(bytes.subarray(8, 8 + headerLength), fail)
  const data = bytes.subarray(8 + headerLength)
  const weights: Weights = new Map()
  const shapes = new Map<string, readonly number[]>()
  const ranges: (readonly [number, number])[] = []
  for (const [tensor, entry] of Object.entries(header)) {
    if (tensor === '__metadata__') continue
    const {
      dtype,
      shape,
      data_offsets: offsets,
    } = isEntry(entry) ? entry : fail(`the entry of ${tensor} is malformed`)
    const [from, to] = offsets
    const size = shape.reduce((product, dimension) => product * dimension, 1)
    const type = isStorageType(dtype)
      ? dtype
      : fail(`${tensor} is stored as ${dtype}, which is not supported`)
    if (to > data.length || to - from !== size * bytesPerNumber[type]) {
      fail(`${tensor} claims bytes ${from} to ${to}, which do not fit its shape or the file`)
    }
    weights.set(tensor, decodeNumbers(data.subarray(from, to), type))
    shapes.set(tensor, shape)
    ranges.push(offsets)
  }
  // As the format demands: every data byte belongs to exactly one tensor.
  let covered = 0
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    if (from !== covered)
      fail(`its tensors overlap or leave a gap at byte ${Math.min(from, covered)} of the data`)
    covered = to
  }
  if (covered !== data.length) fail(`${data.length - covered} bytes at its end belong to no tensor`)
  return { weights, shapes }
}

export function serializeSafetensors(
  weights: Weights,
  shapes: ReadonlyMap<string, readonly number[]>,
  dtype: StorageType = 'F32',
): Uint8Array {
  let offset = 0
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } }
  for (const [name, values] of weights) {
    const length = values.length * bytesPerNumber[dtype]
    header[name] = {
      dtype,
      shape: shapes.get(name) ?? [values.length],
      data_offsets: [offset, offset + length],
    }
    offset += length
  }
  const json = new TextEncoder().encode(JSON.stringify(header))
  const padded = Math.ceil(json.length / 8) * 8
  const bytes = new Uint8Array(8 + padded + offset).fill(0x20, 8, 8 + padded)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(padded), true)
  bytes.set(json, 8)
  let at = 8 + padded
  for (const values of weights.values()) {
    const encoded = encodeNumbers(values, dtype)
    bytes.set(encoded, at)
    at += encoded.length
  }
  return bytes
}

/** @throws EngineError when the file cannot be read or is invalid */
export async function readSafetensors(path: string): Promise<SafetensorsContent> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (cause) {
    throw new EngineError({
      code: 'engine/unreadable-weights',
      message: `Cannot read the weights ${path}: ${whyUnreadable(cause)}.`,
      cause,
    })
  }
  return parseSafetensors(bytes, path)
}

/** No half-written file is ever seen. @throws EngineError if it cannot be written */
export async function writeSafetensors(
  path: string,
  weights: Weights,
  shapes: ReadonlyMap<string, readonly number[]>,
  dtype: StorageType = 'F32',
): Promise<void> {
  await replaceFile(path, serializeSafetensors(weights, shapes, dtype))
}

function parseHeader(
  bytes: Uint8Array,
  fail: (message: string, cause?: unknown) => never,
): Record<string, unknown> {
  let header: unknown
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    return fail('its header is not JSON', cause)
  }
  const isObject = typeof header === 'object' && header !== null && !Array.isArray(header)
  return isObject ? (header as Record<string, unknown>) : fail('its header is not an object')
}

const isStorageType = (name: string): name is StorageType => Object.hasOwn(bytesPerNumber, name)

function isEntry(entry: unknown): entry is HeaderEntry {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Partial<HeaderEntry>
  const areIndices = (list: unknown): boolean =>
    Array.isArray(list) && list.every((item) => Number.isSafeInteger(item) && item >= 0)
  return typeof dtype === 'string' && areIndices(shape) && areIndices(offsets) && offsets?.length === 2
}
