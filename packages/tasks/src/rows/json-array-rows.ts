/** Rows of a JSON file that is one array of objects, as LongBench v2 is published. */
import { jsonArrayParts } from '../ruler/json-array-items.ts'
import { type RowPlace, rowsOfParts } from './file-parts.ts'
import type { RowFile } from './row-file.ts'

/** Finds the objects; they are parsed when they are read. @throws TaskError when the file is no JSON array of objects */
export async function openJsonArrayRows(path: string): Promise<RowFile> {
  const places: RowPlace[] = []
  for await (const { number, startByte, bytes } of jsonArrayParts(path)) {
    places.push({ number, startByte, lengthBytes: bytes.length })
  }
  return rowsOfParts(path, 'item', places)
}
