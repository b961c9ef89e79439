/**
 * Event files that TensorBoard reads: scalars by tag and step. The format: records of length, masked CRC-32C of the
 * length, an `Event` protobuf, masked CRC-32C of it (tensorflow/core/lib/io/record_writer.cc, util/event.proto).
 */
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Proto3Writer } from '../proto3-writer.ts'

export interface ScalarEvent {
  /** Seconds since 1970. */
  readonly wallTime: number
  readonly step: number
  readonly scalars: Readonly<Record<string, number>>
}

/** The bytes of one event file. */
export function encodeEventFile(startTime: number, events: readonly ScalarEvent[]): Buffer {
  const version = new Proto3Writer().double(1, startTime).text(3, 'brain.Event:2').finish()
  return Buffer.concat([record(version), encodeRecords(events)])
}

const encodeRecords = (events: readonly ScalarEvent[]) =>
  Buffer.concat(events.map((event) => record(encodeEvent(event))))

/** Files written here: their start time and, if one replaced another, a number. */
const ownName = /^events\.out\.tfevents\.\d+\.memagent(?:\.(\d+))?$/

export interface EventFile {
  append(events: readonly ScalarEvent[]): Promise<void>
}

/**
 * One append-only event file in `folder`: TensorBoard continues where it stopped and never rereads a file's beginning. A
 * resumed run passes all earlier events: a file that begins with them is continued, any other is replaced, so nothing
 * appears twice.
 */
export function openEventFile(folder: string): EventFile {
  let path: string | undefined
  return {
    async append(events) {
      if (path !== undefined) return appendFile(path, encodeRecords(events))
      const start = events[0]?.wallTime ?? 0
      const content = encodeEventFile(start, events)
      const earlier = (await readdir(folder)).filter((name) => ownName.test(name))
      if (earlier.length === 1) {
        const before = await readFile(join(folder, earlier[0]!))
        if (before.equals(content.subarray(0, before.length))) {
          path = join(folder, earlier[0]!)
          return appendFile(path, content.subarray(before.length))
        }
      }
      path = join(folder, nameOf(start, earlier))
      for (const name of earlier) await rm(join(folder, name))
      await writeFile(path, content)
    },
  }
}

/** A name that TensorBoard has not read yet, and that sorts after the earlier ones, as it expects. */
function nameOf(start: number, earlier: readonly string[]): string {
  const next = Math.max(-1, ...earlier.map((name) => Number(ownName.exec(name)![1] ?? 0))) + 1
  const number = next === 0 ? '' : `.${String(next).padStart(4, '0')}`
  return `events.out.tfevents.${Math.floor(start)}.memagent${number}`
}

function encodeEvent({ wallTime, step, scalars }: ScalarEvent): Uint8Array {
  return new Proto3Writer()
    .double(1, wallTime)
    .integer(2, step)
    .nested(5, (summary) => {
      for (const [tag, value] of Object.entries(scalars)) {
        summary.nested(1, (scalar) => scalar.text(1, tag).float(2, value))
      }
    })
    .finish()
}

function record(data: Uint8Array): Buffer {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(data.length))
  return Buffer.concat([length, maskedChecksum(length), data, maskedChecksum(data)])
}

function maskedChecksum(data: Uint8Array): Buffer {
  const crc = crc32c(data)
  const result = Buffer.alloc(4)
  result.writeUInt32LE(((((crc >>> 15) | (crc << 17)) >>> 0) + 0xa282ead8) >>> 0)
  return result
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

/** CRC-32C (Castagnoli), RFC 3720 appendix B.4. */
export function crc32c(data: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of data) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
