/**
 * The objects of a JSON array, one by one: a file of hundreds of megabytes is then never held whole, neither as text nor as
 * objects. Objects are found by counting brackets, and the runtime's own parser reads each of them.
 */
import { createReadStream } from 'node:fs'
import { TaskError } from '@memagent/core'

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  ...Buffer.from('"\\[]{}'),
] as unknown as readonly [number, number, number, number, number, number]

/** Where an item stands in its file, and its text. */
export interface JsonArrayPart {
  /** 1-based. */
  readonly number: number
  readonly startByte: number
  readonly bytes: Buffer
}

/** @throws TaskError when the file cannot be read or is no JSON array of objects */
export async function* jsonArrayItems(path: string): AsyncGenerator<unknown> {
  for await (const { number, bytes } of jsonArrayParts(path)) {
    yield parseItem(path, number, bytes)
  }
}

/** The items before they are parsed. @throws TaskError when the file cannot be read or is no JSON array of objects */
export async function* jsonArrayParts(path: string): AsyncGenerator<JsonArrayPart> {
  let chunkByte = 0
  let startByte = 0
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isFinished = false
  let held: Buffer[] = []
  let number = 0
  for await (const chunk of chunksOf(path)) {
    const bytes = chunkByte === 0 ? withoutMark(chunk) : chunk
    if (bytes.length < chunk.length) chunkByte += chunk.length - bytes.length
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
    chunkByte += bytes.length
  }
  if (!isFinished) {
    throw notArray(path, number)
  }
}

/** Between the items stand an opening bracket, objects and commas, and the closing bracket. */
const isExpected = (byte: number, depth: number, isFinished: boolean): boolean =>
  depth === 0
    ? byte === openBracket && !isFinished
    : byte === openBrace || byte === closeBracket || byte === ','.charCodeAt(0)

/** A byte order mark is no part of the text. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes
const byteOrderMark = Buffer.from('\uFEFF')

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      yield chunk
    }
  } catch (cause) {
    throw new TaskError({
      code: 'task/unreadable-file',
      message: `cannot read ${path}`,
      hint: 'Give the path of a file that exists and may be read.',
      cause,
      details: { path },
    })
  }
}

function parseItem(path: string, number: number, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new TaskError({
      code: 'task/bad-json',
      message: `item ${number} of ${path} is no JSON: ${(cause as Error).message}`,
      cause,
      details: { path, number },
    })
  }
}

const notArray = (path: string, items: number): TaskError =>
  new TaskError({
    code: 'task/bad-json',
    message: `${path} is not a JSON array of objects${items > 0 ? `, as seen after item ${items}` : ''}`,
    details: { path, items },
  })
