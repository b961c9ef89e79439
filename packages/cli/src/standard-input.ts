/**
 * Standard input through one buffer. Node gives each piece a buffer of its own outside the heap, and they pile up by the
 * hundred before they are freed: a gigabyte would seem to need more memory than a megabyte.
 */
import { fstatSync, read, type Stats } from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import type { Terminal } from './terminal.ts'

const descriptor = 0
const pieceBytes = 1 << 16

/** Files and pipes only; a terminal or device uses Node's stream. Each piece is overwritten when the next is requested. */
export function standardInput(): Terminal['stdin'] {
  const status = statusOf()
  // Node would take a folder for an empty text.
  if (status?.isFile() || status?.isDirectory()) return { [Symbol.asyncIterator]: fileInput }
  const isPipe = status?.isFIFO() || status?.isSocket()
  return isPipe && process.platform !== 'win32' ? new PipeInput() : process.stdin
}

function statusOf(): Stats | undefined {
  try {
    return fstatSync(descriptor)
  } catch {
    // It is closed.
    return undefined
  }
}

async function* fileInput(): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(pieceBytes)
  for (;;) {
    const { bytesRead } = await promisify(read)(descriptor, buffer, 0, pieceBytes, null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

class PipeInput {
  #socket: Socket | undefined

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.allocUnsafeSlow(pieceBytes)
    let length = 0
    let end: { readonly error?: Error } | undefined
    let wake: () => void = () => undefined
    const socket = new Socket({
      fd: descriptor,
      writable: false,
      onread: {
        buffer,
        callback(bytes) {
          length = bytes
          wake()
          // Pauses the socket until the piece is used.
          return false
        },
      },
    })
    this.#socket = socket
    socket.once('error', (error) => {
      end = { error }
    })
    socket.once('close', () => {
      end ??= {}
      wake()
    })
    try {
      for (;;) {
        const next = new Promise<void>((resolve) => {
          wake = resolve
        })
        socket.resume()
        if (!end) await next
        if (length > 0) {
          yield buffer.subarray(0, length)
          length = 0
        } else if (end) {
          if (end.error) throw end.error
          return
        }
      }
    } finally {
      socket.destroy()
    }
  }

  /** Ends the input, even while it waits. */
  destroy(): void {
    this.#socket?.destroy()
  }
}
