/** Pads a document with prose on both sides to reach a given length. */
import { createHash } from 'node:crypto'
import type { TextDocument, TextPiece } from '@memagent/core'
import { plantInProse } from '../prose/plant.ts'
import type { ProseSource } from '../prose/prose-source.ts'
import type { Random } from '../random.ts'

export interface DocumentSize {
  readonly tokens: number
  readonly bytes: number
}

/** Reads the whole document once, piece by piece. */
export async function measureDocument(
  document: TextDocument,
  countTokens: (text: string) => number,
): Promise<DocumentSize> {
  let tokens = 0
  let bytes = 0
  for await (const { text } of document.open()) {
    tokens += countTokens(text)
    bytes += Buffer.byteLength(text)
  }
  return { tokens, bytes }
}

export interface PadOptions {
  readonly document: TextDocument
  readonly size: DocumentSize
  readonly prose: ProseSource
  readonly lengthTokens: number
  readonly countTokens: (text: string) => number
  /** Draws the prose, and how much of it goes before the document. */
  readonly random: Random
}

const separator = '\n\n'

export interface PaddedDocument {
  readonly document: TextDocument
  /** Where the original document begins. */
  readonly startByte: number
}

/** Returns the document itself if it already has about that length. */
export function padDocument(options: PadOptions): PaddedDocument {
  const { document, size, prose, lengthTokens, countTokens, random } = options
  const missing = lengthTokens - size.tokens - 2 * countTokens(separator)
  const tokensBefore = Math.round(Math.max(0, missing) * random.next())
  const part = (side: string, tokens: number): TextDocument[] => {
    const name = `${document.name}, prose ${side}`
    const padding = { name, prose, plants: [], lengthTokens: tokens, countTokens, random: random.fork(side) }
    const made = tokens < 1 ? undefined : plantInProse(padding)
    return made === undefined || made.sizeBytes === 0 ? [] : [made.document]
  }
  const before = part('before', tokensBefore)
  const after = part('after', missing - tokensBefore)
  return {
    document:
      before.length + after.length === 0
        ? document
        : concatenate(document.name, [...before, { ...document, sizeBytes: size.bytes }, ...after]),
    startByte: before.reduce((sum, { sizeBytes }) => sum + sizeBytes! + separator.length, 0),
  }
}

function concatenate(name: string, parts: readonly TextDocument[]): TextDocument {
  const separatorBytes = separator.length * (parts.length - 1)
  const textStarts: number[] = []
  let start = 0
  for (const part of parts) {
    for (const inner of part.textStarts ?? [0]) textStarts.push(start + inner)
    start += part.sizeBytes! + separator.length
  }
  return {
    name,
    sizeBytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes!, separatorBytes),
    textStarts,
    isReopenable: parts.every(({ isReopenable }) => isReopenable),
    async *open(signal) {
      let offsetBytes = 0
      for (const [i, part] of parts.entries()) {
        for await (const { text } of withSeparator(part.open(signal), i > 0)) {
          const lengthBytes = Buffer.byteLength(text)
          yield { text, source: name, offsetBytes, lengthBytes } satisfies TextPiece
          offsetBytes += lengthBytes
        }
      }
    },
    async fingerprint() {
      const hash = createHash('sha256')
      for (const part of parts) {
        hash.update(`${(await part.fingerprint?.()) ?? part.name}\0`)
      }
      return `padded:${hash.digest('hex')}`
    },
  }
}

async function* withSeparator(
  pieces: AsyncIterable<{ readonly text: string }>,
  isSeparated: boolean,
): AsyncIterable<{ readonly text: string }> {
  if (isSeparated) {
    yield { text: separator }
  }
  yield* pieces
}
