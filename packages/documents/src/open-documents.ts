/** Files as one document. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { type DecodingOptions, DocumentError, type TextDocument, type TextPiece } from '@memagent/core'
import { fileSource, unreadable } from './byte-source.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { readSource } from './read-source.ts'
import { recognizeSource } from './recognize-source.ts'
import { identityOf, loaders } from './registry.ts'

export interface OpenOptions extends DecodingOptions {
  /** Those not given are the default's. */
  readonly limits?: Partial<Limits> | undefined
}

/**
 * Several files as one document. Files are joined with a line break where words would otherwise meet. Identity is the
 * content and how it was loaded: the same files by other paths are the same document.
 * @throws DocumentError for an empty list and files that cannot be opened
 */
export async function openDocuments(
  paths: readonly string[],
  options: OpenOptions = {},
): Promise<TextDocument> {
  if (paths.length === 0) {
    throw new DocumentError({
      code: 'document/no-files',
      message: 'A document needs at least one file; the list of paths is empty.',
    })
  }
  const files = await Promise.all(paths.map(async (path) => ({ path, sizeBytes: await sizeOf(path) })))
  const limits = { ...defaultLimits, ...options.limits }
  return {
    name: paths.length === 1 ? paths[0]! : `${paths.length} files`,
    sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    isReopenable: true,
    async *open(signal) {
      let last: TextPiece | undefined
      for (const { path, sizeBytes } of files) {
        const source = fileSource(path, sizeBytes, signal)
        for await (const piece of readSource(source, { ...options, limits, signal }, loaders)) {
          if (last && last.source !== piece.source && wordsMeet(last.text, piece.text))
            yield lineBreakBehind(last)
          yield piece
          if (piece.text !== '') last = piece
        }
      }
    },
    async fingerprint(signal) {
      const hash = createHash('sha256')
      for (const { path, sizeBytes } of files) {
        const { loader, source } = await recognizeSource(fileSource(path, sizeBytes, signal), loaders)
        hash.update(`${sizeBytes}\0${identityOf(loader)}\0`)
        for await (const bytes of source.stream()) hash.update(bytes)
      }
      return `content:${options.invalidBytes === 'replace' ? 'replaced:' : ''}${hash.digest('hex')}`
    },
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/** The end of a file also ends a word: a number there must not continue in the next file. */
const wordsMeet = (before: string, after: string) => /^\S\S$/.test(before.slice(-1) + after.slice(0, 1))

/** It belongs to the text before it. */
const lineBreakBehind = ({ source, offsetBytes, lengthBytes }: TextPiece): TextPiece => ({
  text: '\n',
  source,
  offsetBytes: offsetBytes + lengthBytes,
  lengthBytes: 1,
})
