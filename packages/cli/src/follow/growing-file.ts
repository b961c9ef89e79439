/** A growing file, read as `tail -F` does: what is appended, and what follows when it is replaced or cut. */
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type DecodingOptions, decodeStream, type TextPiece } from '@memagent/core'
import { behind } from './pauses.ts'

/** How often to check an unchanged file. */
const pollMs = 500
const readBytes = 1 << 16

export interface GrowingFileOptions extends DecodingOptions {
  readonly signal?: AbortSignal | undefined
  /** Called with a message when the file was replaced or cut, and is read from its start again. */
  readonly onRotation?: ((message: string) => void) | undefined
}

/**
 * Never ends by itself. After a rotation, the source gets another name: `app.log (rotated 1)`.
 * @throws DocumentError if it is not text; file system errors
 */
export async function* growingFile(path: string, options: GrowingFileOptions): AsyncGenerator<TextPiece> {
  const { signal, onRotation } = options
  for (let rotations = 0; ; rotations++) {
    const name = rotations === 0 ? path : `${path} (rotated ${rotations})`
    let last: TextPiece | undefined
    for await (const piece of decodeStream(oneFile(path, signal), name, signal, {
      ...options,
      hasPauses: true,
    })) {
      yield piece
      if (piece.text !== '') last = piece
    }
    if (last && !last.text.endsWith('\n')) yield { ...behind(last), text: '\n' }
    onRotation?.(`${path} was replaced or cut, and is read from its start again.`)
  }
}

/** Ends when the file is replaced or cut. */
async function* oneFile(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const file = await openPatiently(path, signal)
  try {
    const { dev, ino } = await file.stat()
    let offset = 0
    const rest = async function* () {
      for await (const bytes of bytesFrom(file, offset)) {
        offset += bytes.length
        yield bytes
      }
    }
    for (;;) {
      yield* rest()
      const present = await stat(path).catch(() => undefined)
      const isReplaced = present !== undefined && (present.dev !== dev || present.ino !== ino)
      const isCut = (await file.stat()).size < offset
      if (isReplaced) yield* rest()
      if (isReplaced || isCut) return
      yield new Uint8Array(0)
      await setTimeout(pollMs, undefined, signal ? { signal } : {})
    }
  } finally {
    await file.close()
  }
}

/** During a rotation, the file may be missing for a moment. */
async function openPatiently(path: string, signal: AbortSignal | undefined): Promise<FileHandle> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(path, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 10) throw error
      await setTimeout(pollMs, undefined, signal ? { signal } : {})
    }
  }
}

async function* bytesFrom(file: FileHandle, from: number): AsyncGenerator<Uint8Array> {
  for (let offset = from; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(readBytes), 0, readBytes, offset)
    if (bytesRead === 0) return
    offset += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
