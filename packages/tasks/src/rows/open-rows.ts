/**
 * Opens files of rows in the formats that benchmarks are published in: JSONL, a JSON array, or Parquet. Rows are read one by
 * one, so that a file of gigabytes is never held whole.
 */
import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TaskError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { cannotRead, type FoundRow, type RowFile } from './row-file.ts'
import type { PartName } from './text-rows.ts'

/**
 * Several files in sequence as one, as benchmarks are published in parts. The format follows from the start of a file,
 * whatever its name: `PAR1` is Parquet, `[` a JSON array, anything else JSONL.
 * @param paths at least one
 * @throws TaskError when one cannot be read, or is not of its format
 */
export async function openRows(paths: readonly string[]): Promise<RowFile> {
  const files: RowFile[] = []
  for (const path of paths.map((path) => resolve(path))) {
    const format = await formatOf(path)
    files.push(
      format === 'parquet'
        ? await (await import('./parquet-rows.ts')).openParquetRows(path)
        : await (await import('./text-rows.ts')).openTextRows(path, format),
    )
  }
  return files.length === 1 ? files[0]! : joinRows(files)
}

/**
 * The rows of one file in a single pass: nothing is kept, and no row can be read again.
 * @param columns to read; Parquet reads no others. @default all
 * @throws TaskError as `openRows` does
 */
export async function* scanRows(path: string, columns?: readonly string[]): AsyncGenerator<FoundRow> {
  const format = await formatOf(path)
  if (format !== 'parquet') yield* (await import('./text-rows.ts')).scanTextRows(path, format)
  else yield* (await (await import('./parquet-rows.ts')).openParquetRows(path)).scan(columns)
}

/** Leaves room for some white space before the first character. */
const startBytes = 64

async function formatOf(path: string): Promise<'parquet' | PartName> {
  let start: Buffer
  try {
    if (!(await stat(path)).isFile()) throw cannotRead(path, 'it is a folder, or no file')
    const handle = await open(path)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0)
      start = buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw cause instanceof TaskError ? cause : cannotRead(path, whyUnreadable(cause), cause)
  }
  if (start.toString('latin1', 0, 4) === 'PAR1') return 'parquet'
  // `\s` also matches a byte order mark.
  return /^\s*\[/.test(start.toString()) ? 'item' : 'line'
}

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
  const inFile =
    <T>(read: (file: RowFile, at: number) => T) =>
    (row: number): T => {
      const { file, at } = find(row)
      return read(file, at)
    }
  return {
    path: files.map(({ path }) => path).join(', '),
    count: files.reduce((sum, { count }) => sum + count, 0),
    fileOf: inFile((file, at) => file.fileOf(at)),
    numberOf: inFile((file, at) => file.numberOf(at)),
    placeOf: inFile((file, at) => file.placeOf(at)),
    read: inFile((file, at) => file.read(at)),
    async *scan(columns) {
      for (const file of files) yield* file.scan(columns)
    },
  }
}
