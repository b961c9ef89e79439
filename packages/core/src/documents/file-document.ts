/** Documents from files and standard input; exported from `@memagent/core/node`. */
import { createHash } from 'node:crypto'
import { constants, createReadStream, open as openFile, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import { DocumentError } from '../errors.ts'
import { whyUnreadable } from '../files/why-unreadable.ts'
import type { TextDocument, TextPiece } from './document.ts'
import { type DecodingOptions, decodeStream, readOnce } from './text-document.ts'

export interface FileDocumentOptions extends DecodingOptions {
  /** The stream that the path `-` stands for. @default none: `-` is an ordinary file name */
  readonly standardInput?: ByteStream | undefined
}

type ByteStream = AsyncIterable<Uint8Array | string> & { destroy?(): unknown }

/**
 * Several files as one document. Files are joined with a line break where words would otherwise meet. Identity is the
 * content alone: the same files by other paths are the same document.
 * @throws DocumentError for an empty list, missing files and folders, and when `-` is given twice
 */
export async function createFileDocument(
  paths: readonly string[],
  options: FileDocumentOptions = {},
): Promise<TextDocument> {
  if (paths.length === 0) {
    throw new DocumentError({
      code: 'document/no-files',
      message: 'A document needs at least one file; the list of paths is empty.',
    })
  }
  const input = options.standardInput
  const isInput = (path: string) => path === '-' && input !== undefined
  if (paths.filter(isInput).length > 1) {
    throw new DocumentError({
      code: 'document/input-twice',
      message: 'Standard input (-) is given more than once, but can be read only once.',
      hint: 'Give it once, or save it to a file first. For a file named "-", write ./-',
    })
  }
  const statuses = await Promise.all(paths.map((path) => (isInput(path) ? undefined : statusOf(path))))
  const sources = paths.map((path) => (isInput(path) ? inputName : path))
  const name =
    paths.length === 1 ? sources[0]! : `${paths.length} ${paths.some(isInput) ? 'sources' : 'files'}`
  async function* open(signal?: AbortSignal) {
    let last: TextPiece | undefined
    for (const [i, source] of sources.entries()) {
      const stream = isInput(paths[i]!) ? abortable(input!, signal) : readFileStream(source, signal)
      let isFirst = true
      for await (const piece of decodeStream(stream, source, signal, options)) {
        if (piece.text === '') continue
        if (isFirst && last && wordsMeet(last.text, piece.text)) yield lineBreakBehind(last)
        yield piece
        last = piece
        isFirst = false
      }
      // Otherwise an empty source could not be reported.
      if (isFirst) yield { text: '', source, offsetBytes: 0, lengthBytes: 0 }
    }
  }
  // A pipe or device gives its bytes only once, so nothing but the text may read from it.
  const files = statuses.filter((status) => status !== undefined).filter((status) => status.isFile())
  if (files.length < paths.length) return readOnce({ name, isReopenable: false, open })
  return {
    name,
    sizeBytes: files.reduce((sum, { size }) => sum + size, 0),
    isReopenable: true,
    open,
    /** Sizes and SHA-256 of the content; reads every file once (about a second per gigabyte). */
    async fingerprint(signal) {
      const hash = createHash('sha256')
      for (const [i, path] of paths.entries()) {
        hash.update(`${files[i]!.size}\0`)
        for await (const bytes of readFileStream(path, signal)) hash.update(bytes)
      }
      return `content:${options.invalidBytes === 'replace' ? 'replaced:' : ''}${hash.digest('hex')}`
    },
  }
}

/**
 * Standard input, or any other byte stream of Node, under a name. Aborting the reading destroys the stream: a silent
 * pipe would otherwise keep the process alive.
 */
export function createStandardInputDocument(input: ByteStream, options: DecodingOptions = {}): TextDocument {
  return readOnce({
    name: inputName,
    isReopenable: false,
    open: (signal) => decodeStream(abortable(input, signal), inputName, signal, options),
  })
}

const inputName = 'standard input'

function abortable(input: ByteStream, signal: AbortSignal | undefined): ByteStream {
  signal?.addEventListener('abort', () => input.destroy?.(), { once: true })
  return input
}

/** The end of a file also ends a word: a number there must not continue in the next file. */
const wordsMeet = (before: string, after: string) => /^\S\S$/.test(before.slice(-1) + after.slice(0, 1))

/** Has no bytes, so that offsets are still those of the files. */
const lineBreakBehind = ({ source, offsetBytes, lengthBytes }: TextPiece): TextPiece => ({
  text: '\n',
  source,
  offsetBytes: offsetBytes + lengthBytes,
  lengthBytes: 0,
})

async function* readFileStream(path: string, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    yield* await streamOf(path, signal)
  } catch (cause) {
    signal?.throwIfAborted()
    throw unreadable(path, cause)
  }
}

/** Reading a silent pipe like a file could not be cancelled: it would keep the process alive after an abort. */
async function streamOf(path: string, signal: AbortSignal | undefined): Promise<AsyncIterable<Uint8Array>> {
  const stopping = signal ? { signal } : {}
  if (!(await stat(path)).isFIFO()) return createReadStream(path, { highWaterMark: 1 << 18, ...stopping })
  // Opening it must not wait for a writer either; elsewhere, a pipe that nobody has opened yet would look finished.
  const nonBlocking = process.platform === 'linux' ? constants.O_NONBLOCK : 0
  const fd = await promisify(openFile)(path, constants.O_RDONLY | nonBlocking)
  return new Socket({ fd, writable: false, ...stopping })
}

async function statusOf(path: string): Promise<Stats> {
  let status: Stats
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
  return status
}

function unreadable(path: string, cause: unknown): DocumentError {
  return new DocumentError({
    code: 'document/unreadable',
    message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
    details: { path },
    cause,
  })
}
