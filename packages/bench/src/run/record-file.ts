/** The record of a run: an append-only JSON Lines file, written by one process at a time. */
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigurationError } from '@memagent/core'
import { type FileLock, lockFile } from '@memagent/core/node'
import { type BenchRecord, parseRecord } from '../record.ts'
import { lineStart, readRecordLines, withoutZeros } from '../report/read-records.ts'

/** Time between two syncs to disk: a power failure loses at most this much, a killed process nothing. */
const syncIntervalMs = 1000

/** A record without the fields needed only to examine the single sample. */
export type RecordedSample = Omit<BenchRecord, 'trace' | 'seen' | 'response' | 'warnings'>

export interface RecordFile {
  /** The last line for each key. */
  readonly recorded: ReadonlyMap<string, RecordedSample>
  /** Lines before the last that are damaged, and record nothing. */
  readonly damagedLines: number
  /** Appends a line in one write. @throws ConfigurationError for invalid records, of which nothing is written */
  append(record: BenchRecord): Promise<void>
  /** Idempotent. */
  close(): Promise<void>
}

export const withoutTrace = ({ trace, seen, response, warnings, ...sample }: BenchRecord): RecordedSample =>
  sample

/**
 * Opens a record to resume it, or starts one. Drops a last line cut short by a kill or a loss of power.
 * @throws ConfigurationError if another run writes to the file, if it cannot be written, or if it is not a record
 */
export async function openRecordFile(path: string): Promise<RecordFile> {
  await mkdir(dirname(path), { recursive: true }).catch((cause: unknown) => {
    throw unwritable(path, cause)
  })
  const lock = await lockFile(path)
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'a+').catch((cause: unknown) => {
      throw unwritable(path, cause)
    })
    const recorded = new Map<string, RecordedSample>()
    let damagedLines = 0
    for await (const line of readRecordLines(path)) {
      if ('record' in line) recorded.set(line.record.key, withoutTrace(line.record))
      else if (!line.isLast) damagedLines++
    }
    // Only once it is known to be a record: other files must not be truncated.
    await mendLastLine(handle, path)
    return new OpenRecordFile(path, handle, lock, { recorded, damagedLines })
  } catch (error) {
    await handle?.close()
    await lock.release()
    throw error
  }
}

class OpenRecordFile implements RecordFile {
  readonly recorded: Map<string, RecordedSample>
  readonly damagedLines: number
  readonly #path: string
  readonly #handle: FileHandle
  readonly #lock: FileLock
  #syncedMs = performance.now()
  #last: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor(
    path: string,
    handle: FileHandle,
    lock: FileLock,
    { recorded, damagedLines }: Pick<OpenRecordFile, 'recorded' | 'damagedLines'>,
  ) {
    this.#path = path
    this.#handle = handle
    this.#lock = lock
    this.recorded = recorded
    this.damagedLines = damagedLines
  }

  /** Writes lines one after another. After a failed write all later ones fail too, so that no line starts inside another. */
  async append(record: BenchRecord): Promise<void> {
    const line = JSON.stringify(record)
    checkLine(record.key, line, this.#path)
    this.#last = this.#last.then(async () => {
      await this.#write(`${line}\n`).catch((cause: unknown) => {
        throw unwritable(this.#path, cause)
      })
      this.recorded.set(record.key, withoutTrace(record))
    })
    return this.#last
  }

  close(): Promise<void> {
    this.#closing ??= this.#last
      .then(() => this.#handle.datasync())
      // The caller of `append` gets the error.
      .catch(() => undefined)
      .then(() => this.#handle.close())
      .finally(() => this.#lock.release())
    return this.#closing
  }

  async #write(line: string): Promise<void> {
    await this.#handle.appendFile(line)
    if (performance.now() - this.#syncedMs < syncIntervalMs) return
    this.#syncedMs = performance.now()
    await this.#handle.datasync()
  }
}

/** One unreadable line would make the whole file useless. */
function checkLine(key: string, line: string, path: string): void {
  const parsed = parseRecord(JSON.parse(line))
  if ('record' in parsed) return
  throw new ConfigurationError({
    code: 'bench/bad-record',
    message: `The answer to ${key} cannot be recorded in ${path}: ${parsed.problem}`,
    hint: 'A task, a method or a model of your own gave a value that is not allowed there.',
    details: { key, path },
  })
}

/** Every line ends with a line feed; anything after the last one is of a killed process or a loss of power, complete or not. */
async function mendLastLine(handle: FileHandle, path: string): Promise<void> {
  const { size } = await handle.stat()
  const restStart = (await lastLineFeed(handle, size)) + 1
  if (restStart === size) return
  const rest = Buffer.alloc(size - restStart)
  await handle.read(rest, 0, rest.length, restStart)
  const text = withoutZeros(rest.toString('utf8'))
  if (isJson(text)) {
    await handle.truncate(restStart + rest.findLastIndex((byte) => byte !== 0) + 1)
    await handle.appendFile('\n')
    return
  }
  if (text.startsWith(lineStart) || lineStart.startsWith(text)) {
    await handle.truncate(restStart)
    return
  }
  throw new ConfigurationError({
    code: 'bench/bad-record',
    message: `The last line of ${path} is no record of a benchmark.`,
    hint: 'Use a file written by `memagent bench run`, or one that does not exist.',
    details: { path },
  })
}

/** Offset of the last line feed; -1 when there is none. */
async function lastLineFeed(handle: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(64 * 1024)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length)
    const { bytesRead } = await handle.read(block, 0, end - start, start)
    const at = block.subarray(0, bytesRead).lastIndexOf('\n')
    if (at >= 0) return start + at
    end = start
  }
  return -1
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const unwritable = (path: string, cause: unknown) =>
  new ConfigurationError({
    code: 'bench/unwritable',
    message: `Cannot write ${path}: ${(cause as Error).message}`,
    hint: 'Use a file in a writable folder, on a disk with free space.',
    details: { path },
    cause,
  })
