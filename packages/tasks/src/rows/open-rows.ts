/**
 * Opens files of rows in the formats that benchmarks are published in: JSONL, a JSON array, or Parquet. Rows are read one by
 * one, so that a file of gigabytes is never held whole.
 */
import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TaskError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import type { RowFile } from './row-file.ts'

/**
 * Several files, one after the other, as one: benchmarks are published in parts. The format is told by what a file begins
 * with, whatever its name: `PAR1` is Parquet, `[` a JSON array, anything else JSONL.
 * @param paths at least one
 * @throws TaskError when one cannot be read, or is not of its format
 */
export async function openRows(paths: readonly string[]): Promise<RowFile> {
  const files: RowFile[] = []
  for (const path of paths) {
    files.push(await openOne(resolve(path)))
  }
  return files.length === 1 ? files[0]! : joinRows(files)
}

/** @throws TaskError when it cannot be read */
export const isParquet = async (path: string): Promise<boolean> => beginsParquet(await startOf(path))

const beginsParquet = (start: Buffer): boolean => start.toString('latin1', 0, 4) === 'PAR1'

async function openOne(path: string): Promise<RowFile> {
  const start = await startOf(path)
  if (beginsParquet(start)) {
    return (await import('./parquet-rows.ts')).openParquetRows(path)
  }
  // White space includes a byte order mark.
  return /^\s*\[/.test(start.toString())
    ? (await import('./json-array-rows.ts')).openJsonArrayRows(path)
    : (await import('./jsonl-rows.ts')).openJsonlRows(path)
}

/** Enough for some white space before the first sign. */
const startBytes = 64

async function startOf(path: string): Promise<Buffer> {
  try {
    if (!(await stat(path)).isFile()) {
      throw unreadable(path, 'it is not a file')
    }
    const handle = await open(path)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    if (cause instanceof TaskError) {
      throw cause
    }
    throw unreadable(path, whyUnreadable(cause), cause)
  }
}

const unreadable = (path: string, problem: string, cause?: unknown): TaskError =>
  new TaskError({
    code: 'task/unreadable-file',
    message: `cannot read ${path}: ${problem}`,
    hint: 'Give the path of a JSONL, JSON or Parquet file.',
    cause,
    details: { path },
  })

function joinRows(files: readonly RowFile[]): RowFile {
  const find = (row: number): { file: RowFile; at: number } => {
    let at = row
    const file = files.find(({ count }) => {
      const isHere = at < count
      at -= isHere ? 0 : count
      return isHere
    })
    return { file: file ?? files.at(-1)!, at }
  }
  return {
    path: files.map(({ path }) => path).join(', '),
    count: files.reduce((sum, { count }) => sum + count, 0),
    placeOf(row) {
      const { file, at } = find(row)
      return file.placeOf(at)
    },
    async read(row) {
      const { file, at } = find(row)
      return file.read(at)
    },
    async *scan(columns) {
      for (const file of files) {
        yield* file.scan(columns)
      }
    },
  }
}
