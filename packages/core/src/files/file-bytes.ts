import { constants, createReadStream, open as openFile } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import { unreadable } from './why-unreadable.ts'

/** The bytes of a file, named pipe or device. @throws DocumentError when it cannot be read */
export async function* fileBytes(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* await streamOf(path, signal)
  } catch (cause) {
    signal?.throwIfAborted()
    throw unreadable(path, cause)
  }
}

/** A silent pipe read like a file could not be cancelled, and would keep the process alive after an abort. */
async function streamOf(path: string, signal: AbortSignal | undefined): Promise<AsyncIterable<Uint8Array>> {
  const stopping = signal ? { signal } : {}
  if (!(await stat(path)).isFIFO()) return createReadStream(path, { highWaterMark: 1 << 18, ...stopping })
  // Opening must not wait for a writer either. Elsewhere than on Linux, a pipe without a writer would look finished.
  const nonBlocking = process.platform === 'linux' ? constants.O_NONBLOCK : 0
  const fd = await promisify(openFile)(path, constants.O_RDONLY | nonBlocking)
  return new Socket({ fd, writable: false, ...stopping })
}
