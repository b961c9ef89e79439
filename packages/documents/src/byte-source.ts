/** Bytes of files and streams, which can be peeked at before they are read, or held whole. */
import type { Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { DocumentError } from '@memagent/core'
import { fileBytes, unreadable } from '@memagent/core/node'
import { changedMeanwhile, overLimit } from './failures.ts'
import type { ByteSource, LoadContext } from './loader.ts'

/** Bytes of a file read at a time. Longer texts would not be collected with the young objects, and would pile up. */
const pieceBytes = 1 << 16
/** Shared by files that are read one after another: buffers lie outside the heap and are freed late. */
let freeBuffer: Buffer | undefined

/** A regular file. Data appended while it is read, as to a log, is read as well. @param name for people @default its path */
export const fileSource = (
  path: string,
  sizeBytes: number,
  signal?: AbortSignal,
  name = path,
): ByteSource => ({
  name,
  path,
  sizeBytes,
  async *stream() {
    const buffer = freeBuffer ?? Buffer.allocUnsafeSlow(pieceBytes)
    freeBuffer = undefined
    try {
      const file = await open(path)
      try {
        const opened = await file.stat()
        let rest = opened.size
        for (;;) {
          signal?.throwIfAborted()
          const { bytesRead } = await file.read(buffer)
          // Once everything that was there when it was opened has been read, later changes do not matter.
          if (
            rest > 0 &&
            (bytesRead === 0 || bytesRead >= rest) &&
            (await isChanged(file, opened, rest - bytesRead))
          )
            throw changedMeanwhile(name)
          if (bytesRead === 0) break
          rest -= bytesRead
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await file.close()
      }
    } catch (cause) {
      signal?.throwIfAborted()
      throw DocumentError.isInstance(cause) ? cause : unreadable(name, cause)
    } finally {
      freeBuffer = buffer
    }
  },
})

/** Whether the file was truncated or rewritten, not just appended to. @param rest bytes that are missing at its end */
async function isChanged(file: FileHandle, opened: Stats, rest: number): Promise<boolean> {
  const { size, mtimeMs } = await file.stat()
  return rest > 0 || size < opened.size || (size === opened.size && mtimeMs !== opened.mtimeMs)
}

type ByteStream = AsyncIterable<Uint8Array | string> & { destroy?(): unknown }

/** Standard input. Aborting destroys it: a silent pipe would otherwise keep the process alive. */
export const streamSource = (name: string, input: ByteStream, signal?: AbortSignal): ByteSource => ({
  name,
  isLive: true,
  async *stream() {
    signal?.addEventListener('abort', () => input.destroy?.(), { once: true })
    for await (const bytes of input) yield typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  },
})

/** A named pipe or device. */
export const pipeSource = (path: string, signal?: AbortSignal): ByteSource => ({
  name: path,
  isLive: true,
  stream: () => fileBytes(path, signal),
})

/** The source's first bytes, and the same source with all of them. */
export interface Peeked {
  readonly start: Uint8Array
  /** Whether `start` is everything. */
  readonly isWhole: boolean
  readonly source: ByteSource
  /** Closes the source without reading the rest. */
  close(): Promise<void>
}

/** Reads on until `isEnough` says so, or the source ends. */
export async function peek(
  source: ByteSource,
  isEnough: (start: Uint8Array, isWhole: boolean) => boolean,
): Promise<Peeked> {
  const bytes = source.stream()[Symbol.asyncIterator]()
  const close = async () => {
    await bytes.return?.()
  }
  let start: Uint8Array = new Uint8Array(0)
  let isWhole = false
  while (!isEnough(start, isWhole) && !isWhole) {
    const next = await bytes.next()
    if (next.done) isWhole = true
    else start = Buffer.concat([start, next.value])
  }
  return {
    start,
    isWhole,
    close,
    source: {
      ...source,
      async *stream() {
        try {
          yield start
          for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield next.value
        } finally {
          await close()
        }
      },
    },
  }
}

/** Copies each piece, for libraries that read ahead and keep pieces. */
export function readableOf(source: ByteSource): Readable {
  async function* copies() {
    for await (const piece of source.stream()) yield Buffer.from(piece)
  }
  return Readable.from(copies(), { highWaterMark: 1 })
}

/** For formats that cannot be streamed. @throws DocumentError if there are more bytes than `limits.wholeBytes` */
export async function wholeBytes(source: ByteSource, { limits, signal }: LoadContext): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of source.stream()) {
    signal?.throwIfAborted()
    size += piece.length
    if (size > limits.wholeBytes) {
      throw overLimit(
        source.name,
        `it has more than ${Math.round(limits.wholeBytes / 2 ** 20)} MiB and must be held in memory whole`,
      )
    }
    pieces.push(Uint8Array.from(piece))
  }
  return Buffer.concat(pieces)
}
