/**
 * Rows of a Parquet file, through hyparquet. Reads the footer and, for a row, only its pages; in files without a page index,
 * the compressed columns of its row group. Snappy is hyparquet's own, the rest is Node's zlib.
 */
import * as zlib from 'node:zlib'
import { TaskError } from '@memagent/core'
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'
import { badRow, noColumn, type Row, type RowFile } from './row-file.ts'

/** Rows read at a time when scanning the whole file. */
const scanRows = 256

/** @throws TaskError when the file cannot be read or is not a Parquet file */
export async function openParquetRows(path: string): Promise<RowFile> {
  const { file, metadata } = await openFooter(path)
  const columns = new Set(parquetSchema(metadata).children.map(({ element }) => element.name))
  const count = Number(metadata.num_rows)
  const placeOf = (row: number): string => `${path}, row ${row + 1}`
  const readRange = async (rowStart: number, rowEnd: number, wanted?: readonly string[]): Promise<Row[]> => {
    const reading = lettingGo(file)
    try {
      const rows = await parquetReadObjects({
        file: reading.file,
        metadata,
        rowStart,
        rowEnd,
        compressors,
        useOffsetIndex: true,
        ...(wanted ? { columns: [...wanted] } : {}),
      })
      return rows.map((row) => plainValue(row) as Row)
    } catch (cause) {
      reading.letGo()
      throw badRow(placeOf(rowStart), `it cannot be read: ${(cause as Error).message}`, cause)
    }
  }
  return {
    path,
    count,
    fileOf: () => path,
    numberOf: (row) => row + 1,
    placeOf,
    async read(row) {
      const [read] = await readRange(row, row + 1)
      if (read === undefined) throw badRow(placeOf(row), 'the file promises it, and it is not there')
      return read
    },
    async *scan(wanted) {
      const missing = wanted?.filter((column) => !columns.has(column)) ?? []
      if (missing.length > 0) throw noColumn(path, missing, [...columns])
      for (let start = 0; start < count; start += scanRows) {
        const rows = await readRange(start, Math.min(count, start + scanRows), wanted)
        for (const [i, row] of rows.entries()) {
          yield { number: start + i + 1, place: placeOf(start + i), fields: () => row }
        }
      }
    },
  }
}

/**
 * If one column cannot be read, hyparquet throws and abandons the others; their later errors would be unhandled and end the
 * process. After `letGo`, reads never settle.
 */
function lettingGo(file: AsyncBuffer): { readonly file: AsyncBuffer; letGo(): void } {
  let isLetGo = false
  return {
    file: {
      byteLength: file.byteLength,
      async slice(start, end) {
        const bytes = await file.slice(start, end)
        return isLetGo ? new Promise<never>(() => undefined) : bytes
      },
    },
    letGo() {
      isLetGo = true
    },
  }
}

async function openFooter(path: string): Promise<{ file: AsyncBuffer; metadata: FileMetaData }> {
  try {
    const file = await asyncBufferFromFile(path)
    return { file, metadata: await parquetMetadataAsync(file) }
  } catch (cause) {
    throw new TaskError({
      code: 'task/bad-parquet',
      message: `${path} is no Parquet file that can be read: ${(cause as Error).message}`,
      cause,
      details: { path },
    })
  }
}

/** A page states its length; one that exceeds this was made to exhaust memory. */
const atMost = (bytes: number): { readonly maxOutputLength: number } => ({
  maxOutputLength: Math.max(1, bytes),
})

const compressors: Compressors = {
  GZIP: (input, bytes) => zlib.gunzipSync(input, atMost(bytes)),
  BROTLI: (input, bytes) => zlib.brotliDecompressSync(input, atMost(bytes)),
  ZSTD(input, bytes) {
    if (zlib.zstdDecompressSync !== undefined) return zlib.zstdDecompressSync(input, atMost(bytes))
    throw new Error(
      `it is compressed with Zstandard, which takes Node 22.15 or newer; this is ${process.version}`,
    )
  },
}

/** Converts 64-bit integers to numbers; here they are counts and lengths. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return Number(value)
  }
  if (Array.isArray(value)) {
    return value.map(plainValue)
  }
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainValue(one)]))
    : value
}
