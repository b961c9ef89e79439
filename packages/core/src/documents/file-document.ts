/** Documents from files and standard input; reached through `@memagent/core/node`. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { DocumentError } from '../errors.ts'
import { whyUnreadable } from '../files/why-unreadable.ts'
import type { Document } from './document.ts'
import { type DecodingOptions, decodeStream, documentFromStream } from './text-document.ts'

/** Several files, one after the other, as one document. @throws DocumentError for none, missing ones and folders */
export async function documentFromFiles(
  paths: readonly string[],
  options: DecodingOptions = {},
): Promise<Document> {
  if (paths.length === 0) {
    throw new DocumentError({
      code: 'document/no-files',
      message: 'A document needs at least one file; the list of paths is empty.',
    })
  }
  const sizes = await Promise.all(paths.map(sizeOf))
  return {
    name: paths.length === 1 ? paths[0]! : `${paths.length} files`,
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
    isReopenable: true,
    async *open(signal) {
      for (const path of paths) yield* decodeStream(readFileStream(path, signal), path, signal, options)
    },
    /** Names, sizes and SHA-256 of the content; reads every file once (about a second per gigabyte). */
    async fingerprint() {
      const hash = createHash('sha256')
      for (const [i, path] of paths.entries()) {
        hash.update(`${path}\0${sizes[i]}\0`)
        for await (const bytes of readFileStream(path)) hash.update(bytes)
      }
      return `files:${options.invalidBytes === 'replace' ? 'replaced:' : ''}${hash.digest('hex')}`
    },
  }
}

/**
 * Standard input, or any other byte stream of Node, under a name. When the reading is aborted the stream is destroyed:
 * a pipe that stays silent would keep the process alive.
 */
export function documentFromStandardInput(
  input: AsyncIterable<Uint8Array | string> & { destroy?(): unknown },
  options: DecodingOptions = {},
): Document {
  const document = documentFromStream(input, 'standard input', options)
  return {
    ...document,
    open(signal) {
      signal?.addEventListener('abort', () => input.destroy?.(), { once: true })
      return document.open(signal)
    },
  }
}

async function* readFileStream(path: string, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 18, ...(signal ? { signal } : {}) })
  } catch (cause) {
    signal?.throwIfAborted()
    throw unreadable(path, cause)
  }
}

async function sizeOf(path: string): Promise<number> {
  let status: Awaited<ReturnType<typeof stat>>
  try {
    status = await stat(path)
  } catch (cause) {
    throw unreadable(path, cause)
  }
  if (status.isDirectory()) {
    throw new DocumentError({
      code: 'document/is-a-folder',
      message: `${path} is a folder.`,
      hint: `Name its files: ${path}/*.txt`,
      details: { path },
    })
  }
  return status.size
}

function unreadable(path: string, cause: unknown): DocumentError {
  return new DocumentError({
    code: 'document/unreadable',
    message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
    details: { path },
    cause,
  })
}
