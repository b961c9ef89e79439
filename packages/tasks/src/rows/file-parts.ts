/** Rows that are stretches of one text file, found once and then read from their places. */
import { type FileHandle, open } from 'node:fs/promises'
import { badRow, checkRow, noColumn, type Row, type RowFile } from './row-file.ts'

export interface RowPlace {
  /** 1-based. */
  readonly number: number
  readonly startByte: number
  readonly lengthBytes: number
}

/** @param word what a part is called: `line`, `item` */
export function rowsOfParts(path: string, word: string, places: readonly RowPlace[]): RowFile {
  const placeOf = (row: number): string => `${path}, ${word} ${places[row]?.number}`
  const readFrom = async (handle: FileHandle, row: number): Promise<Row> => {
    const { startByte, lengthBytes } = places[row]!
    const bytes = new Uint8Array(lengthBytes)
    const { bytesRead } = await handle.read(bytes, 0, lengthBytes, startByte)
    return parsePart(placeOf(row), bytes.subarray(0, bytesRead))
  }
  const openAt = async (row: number): Promise<FileHandle> => {
    try {
      return await open(path)
    } catch (cause) {
      throw badRow(placeOf(row), `the file cannot be read any more: ${(cause as Error).message}`, cause)
    }
  }
  return {
    path,
    count: places.length,
    placeOf,
    async read(row) {
      const handle = await openAt(row)
      try {
        return await readFrom(handle, row)
      } finally {
        await handle.close()
      }
    },
    async *scan(columns) {
      const handle = await openAt(0)
      try {
        for (let row = 0; row < places.length; row += 1) {
          const whole = await readFrom(handle, row)
          const missing = columns.filter((column) => !Object.hasOwn(whole, column))
          if (missing.length > 0) {
            throw noColumn(placeOf(row), missing, Object.keys(whole))
          }
          yield Object.fromEntries(columns.map((column) => [column, whole[column]]))
        }
      } finally {
        await handle.close()
      }
    },
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parsePart(place: string, bytes: Uint8Array): Row {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch (cause) {
    throw badRow(place, 'it is not UTF-8', cause)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw badRow(place, `it is not JSON: ${(cause as Error).message}`, cause)
  }
  return checkRow(place, value)
}
