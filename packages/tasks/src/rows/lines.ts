/** The lines of a file as bytes with their positions, including blank ones. */
import { bytesOf, type TextPart } from './file-bytes.ts'

const lineFeed = 10

/** @throws TaskError when the file cannot be read */
export async function* linesOf(path: string): AsyncGenerator<TextPart> {
  let held: Uint8Array[] = []
  let number = 1
  let lineStart = 0
  for await (const { startByte, bytes } of bytesOf(path)) {
    if (number === 1 && held.length === 0) lineStart = startByte
    let from = 0
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
      held.push(bytes.subarray(from, at))
      yield { number, startByte: lineStart, bytes: held.length === 1 ? held[0]! : Buffer.concat(held) }
      held = []
      from = at + 1
      number += 1
      lineStart = startByte + from
    }
    held.push(bytes.subarray(from))
  }
  if (held.some((bytes) => bytes.length > 0)) {
    yield { number, startByte: lineStart, bytes: Buffer.concat(held) }
  }
}
