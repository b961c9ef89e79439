/** A document from a file; exported from `@memagent/core/node`. `@memagent/documents` opens several as one. */
import { createHash } from 'node:crypto'
import { open as openFile, stat } from 'node:fs/promises'
import { DocumentError } from '../errors.ts'
import { fileBytes } from '../files/file-bytes.ts'
import { unreadable } from '../files/why-unreadable.ts'
import type { TextDocument } from './document.ts'
import { markBytesOf } from './piece-decoder.ts'
import { type DecodingOptions, decodeStream, readOnce } from './text-document.ts'

/**
 * A text file. Its identity is the content alone: the same file under another path is the same document.
 * @throws DocumentError for a missing file or a folder
 */
export async function createFileDocument(path: string, options: DecodingOptions = {}): Promise<TextDocument> {
  const status = await stat(path).catch((cause) => {
    throw unreadable(path, cause)
  })
  if (status.isDirectory()) {
    throw new DocumentError({
      code: 'document/is-a-folder',
      message: `${path} is a folder.`,
      hint: 'Name a file in it.',
      details: { path },
    })
  }
  async function* open(signal?: AbortSignal) {
    let isEmpty = true
    for await (const piece of decodeStream(fileBytes(path, signal), path, signal, options)) {
      if (piece.text === '') continue
      yield piece
      isEmpty = false
    }
    // Without a piece, an empty file could not be reported.
    if (isEmpty) yield { text: '', source: path, offsetBytes: 0, lengthBytes: 0 }
  }
  // A pipe or device gives its bytes only once, so nothing but the text may read from it.
  if (!status.isFile()) return readOnce({ name: path, isReopenable: false, open })
  return {
    name: path,
    sizeBytes: status.size - (await markBytesIn(path)),
    isReopenable: true,
    open,
    /** Size and SHA-256 of the content; reads the file once (about a second per gigabyte). */
    async fingerprint(signal) {
      const hash = createHash('sha256').update(`${status.size}\0`)
      for await (const bytes of fileBytes(path, signal)) hash.update(bytes)
      return `content:${options.invalidBytes === 'replace' ? 'replaced:' : ''}${hash.digest('hex')}`
    },
  }
}

/** Bytes of the byte order mark, which is in no piece. */
async function markBytesIn(path: string): Promise<number> {
  try {
    const file = await openFile(path)
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
      return markBytesOf(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  } catch {
    // Reading will report it.
    return 0
  }
}
