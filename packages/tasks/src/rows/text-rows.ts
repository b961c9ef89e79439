/** Rows that are stretches of a text file: the lines of JSONL, or the items of a JSON array. */
import { type FileHandle, open } from 'node:fs/promises'
import type { TextPart } from './file-bytes.ts'
import { itemsOfArray } from './json-array.ts'
import { linesOf } from './lines.ts'
import { badRow, type FoundRow, type Row, type RowFile } from './row-file.ts'

const formats = {
  line: linesOf,
  item: itemsOfArray,
} as const satisfies Record<string, (path: string) => AsyncIterable<TextPart>>
export type PartName = keyof typeof formats

/** @throws TaskError when the file cannot be read, or should be a JSON array of objects but is not */
export async function* scanTextRows(path: string, part: PartName): AsyncGenerator<FoundRow> {
  for await (const { number, bytes } of formats[part](path)) {
    if (isBlank(bytes)) continue
    const place = `${path}, ${part} ${number}`
    yield { number, place, fields: () => parsePart(place, bytes) }
  }
}

/** Finds the rows, and parses each when it is read. @throws TaskError as `scanTextRows` does */
export async function openTextRows(path: string, part: PartName): Promise<RowFile> {
  const found: { readonly number: number; readonly startByte: number; readonly lengthBytes: number }[] = []
  for await (const { number, startByte, bytes } of formats[part](path)) {
    if (!isBlank(bytes)) found.push({ number, startByte, lengthBytes: bytes.length })
  }
  const placeOf = (row: number): string => `${path}, ${part} ${found[row]?.number}`
  return {
    path,
    count: found.length,
    fileOf: () => path,
    numberOf: (row) => found[row]!.number,
    placeOf,
    async read(row) {
      const { startByte, lengthBytes } = found[row]!
      let handle: FileHandle | undefined
      try {
        handle = await open(path)
        const bytes = new Uint8Array(lengthBytes)
        const { bytesRead } = await handle.read(bytes, 0, lengthBytes, startByte)
        return parsePart(placeOf(row), bytes.subarray(0, bytesRead))
      } catch (cause) {
        throw handle === undefined
          ? badRow(placeOf(row), `the file cannot be read any more: ${(cause as Error).message}`, cause)
          : cause
      } finally {
        await handle?.close()
      }
    },
    scan: () => scanTextRows(path, part),
  }
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 32)

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
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Row
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
  throw badRow(place, `it is not a JSON object but ${found}`)
}
