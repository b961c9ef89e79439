/**
 * Standard input, kept in a file before it is read: a run that was stopped can then be resumed, and its answer checked,
 * although a pipe gives its text only once. The file is named after its content and readable by its owner alone.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MemAgentError, type TextDocument } from '@memagent/core'
import { unreadable } from '@memagent/core/node'
import { StoreError } from '@memagent/store'
import { interruptedBySignals } from '../signals.ts'
import type { Terminal } from '../terminal.ts'
import type { ProgressView } from '../view/progress.ts'

export interface KeptInput {
  /** SHA-256 of the bytes, and the name of the file. */
  readonly name: string
  readonly path: string
  readonly sizeBytes: number
}

/** A `.part` file older than this was left by a killed process. */
const abandonedMs = 24 * 3600 * 1000

/**
 * Reads standard input to its end.
 * @param folder created if missing
 * @throws DocumentError when it cannot be read, StoreError when it cannot be written, Interruption at a signal
 */
export async function keepInput(
  stdin: Terminal['stdin'],
  folder: string,
  view: ProgressView | undefined,
): Promise<KeptInput> {
  view?.waitFor('reading standard input')
  const { signal, unlisten } = interruptedBySignals()
  return written(stdin, folder, signal).finally(unlisten)
}

async function* readable(input: Terminal['stdin']): AsyncGenerator<Uint8Array | string> {
  try {
    yield* input
  } catch (cause) {
    throw unreadable('standard input', cause)
  }
}

async function written(input: Terminal['stdin'], folder: string, signal: AbortSignal): Promise<KeptInput> {
  const part = join(folder, `${randomUUID()}.part`)
  const stop = () => (input as { destroy?(): unknown }).destroy?.()
  signal.addEventListener('abort', stop, { once: true })
  try {
    // If the store is elsewhere, the data folder may not exist yet.
    await mkdir(folder, { mode: 0o700, recursive: true })
    await removeAbandoned(folder)
    const hash = createHash('sha256')
    let sizeBytes = 0
    const file = await open(part, 'wx', 0o600)
    try {
      for await (const piece of readable(input)) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
        hash.update(bytes)
        sizeBytes += bytes.length
        await file.writeFile(bytes)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    signal.throwIfAborted()
    const name = hash.digest('hex')
    const path = join(folder, name)
    await rename(part, path)
    return { name, path, sizeBytes }
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined)
    signal.throwIfAborted()
    if (MemAgentError.isInstance(cause)) throw cause
    throw new StoreError({
      code: 'store/unwritable',
      message: `Standard input cannot be kept in ${folder}: ${(cause as Error).message}`,
      hint: 'Name another store with --store PATH; ask, notes and serve also work without one (--no-store).',
      details: { folder },
      cause,
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part')) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}

/** Finds a kept input by name. @throws StoreError when it is gone */
export async function findInput(folder: string, name: string): Promise<KeptInput> {
  const path = join(folder, name)
  const status = await stat(path).catch(() => undefined)
  if (status) return { name, path, sizeBytes: status.size }
  throw new StoreError({
    code: 'store/no-input',
    message: `The text that came from standard input is not on this machine: ${path} does not exist.`,
    hint: 'Resume the run where it was begun, or give the text again, with the command that began it.',
    details: { path },
  })
}

/**
 * The same document over the kept input instead of standard input: it can be reopened, and is identified by its text.
 * @param isAlone it is the whole document, and no loader of the user's own reads it
 * @param open opens the document with this standard input
 */
export async function withKeptInput(
  { path }: KeptInput,
  isAlone: boolean,
  open: (stdin: Terminal['stdin']) => Promise<TextDocument>,
): Promise<TextDocument> {
  const opened = () => open({ [Symbol.asyncIterator]: () => bytesOf(path) })
  const { name } = await opened()
  const { openDocuments } = await import('@memagent/documents')
  // The size of the text, since the file may be longer.
  const sizeBytes = isAlone ? (await openDocuments([{ path, name }])).sizeBytes : undefined
  const document: TextDocument = {
    ...{ name, sizeBytes },
    isReopenable: true,
    async *open(signal) {
      yield* (await opened()).open(signal)
    },
    async fingerprint(signal) {
      const hash = createHash('sha256')
      for await (const { text } of document.open(signal)) hash.update(text)
      return `text:${hash.digest('hex')}`
    },
  }
  return document
}

/** Reuses one buffer, as standard input does. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafeSlow(1 << 16)
    for (;;) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
