/** Rows of a JSONL file: one JSON object a line. Blank lines are passed over. */
import { rawLines } from '../custom/jsonl-lines.ts'
import { type RowPlace, rowsOfParts } from './file-parts.ts'
import type { RowFile } from './row-file.ts'

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 32)

/** Finds the lines; they are parsed when they are read. @throws TaskError when the file cannot be read */
export async function openJsonlRows(path: string): Promise<RowFile> {
  const places: RowPlace[] = []
  for await (const { place, bytes } of rawLines(path)) {
    if (!isBlank(bytes)) {
      places.push(place)
    }
  }
  return rowsOfParts(path, 'line', places)
}
