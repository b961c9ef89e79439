/**
 * Yields the objects of a JSON array one by one, so that a file of hundreds of megabytes is never held whole, as text or as
 * objects. Finds objects by counting brackets.
 */
import { TaskError } from '@memagent/core'
import { bytesOf, type TextPart } from './file-bytes.ts'

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  ...Buffer.from('"\\[]{}'),
] as unknown as readonly [number, number, number, number, number, number]

/** @throws TaskError when the file cannot be read or is not a JSON array of objects */
export async function* itemsOfArray(path: string): AsyncGenerator<TextPart> {
  let startByte = 0
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isFinished = false
  let held: Buffer[] = []
  let number = 0
  for await (const { startByte: chunkByte, bytes } of bytesOf(path)) {
    let start = depth > 1 ? 0 : -1
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i]!
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isInString = false
        continue
      }
      if (byte <= 32) continue
      if (depth < 2 && !isExpected(byte, depth, isFinished)) {
        throw notArray(path, number)
      }
      if (byte === quote) {
        isInString = true
      } else if (byte === openBrace || byte === openBracket) {
        depth += 1
        if (depth === 2) {
          start = i
          startByte = chunkByte + i
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1
        isFinished = depth === 0
        if (depth === 1) {
          held.push(bytes.subarray(start, i + 1))
          number += 1
          yield { number, startByte, bytes: Buffer.concat(held) }
          held = []
          start = -1
        }
      }
    }
    if (start >= 0) {
      held.push(bytes.subarray(start))
    }
  }
  if (!isFinished) {
    throw notArray(path, number)
  }
}

/** Whether a byte between items is expected: an opening bracket, an object's brace, a comma, or the closing bracket. */
const isExpected = (byte: number, depth: number, isFinished: boolean): boolean =>
  depth === 0
    ? byte === openBracket && !isFinished
    : byte === openBrace || byte === closeBracket || byte === ','.charCodeAt(0)

const notArray = (path: string, items: number): TaskError =>
  new TaskError({
    code: 'task/bad-json',
    message: `${path} is not a JSON array of objects${items > 0 ? `, as seen after item ${items}` : ''}`,
    details: { path, items },
  })
