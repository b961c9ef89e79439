/** Reads the bytes of a text file in pieces. */
import { createReadStream } from 'node:fs'
import { whyUnreadable } from '@memagent/core/node'
import { cannotRead } from './row-file.ts'

/** A row's bytes, before they are parsed. */
export interface TextPart {
  /** From 1. */
  readonly number: number
  readonly startByte: number
  readonly bytes: Uint8Array
}

const byteOrderMark = Buffer.from('\uFEFF')

/** Without the byte order mark. @throws TaskError when the file cannot be read */
export async function* bytesOf(
  path: string,
): AsyncGenerator<{ readonly startByte: number; readonly bytes: Buffer }> {
  let startByte = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      const isMarked = startByte === 0 && chunk.subarray(0, 3).equals(byteOrderMark)
      yield isMarked ? { startByte: 3, bytes: chunk.subarray(3) } : { startByte, bytes: chunk }
      startByte += chunk.length
    }
  } catch (cause) {
    throw cannotRead(path, whyUnreadable(cause), cause)
  }
}
