/** The files of the corpus, what must be found in them, and functions to read them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemAgentError, type Position, positionAt, type TextPiece } from '@memagent/core'
import { type OpenOptions, openDocuments } from '../open-documents.ts'

export interface Fact {
  readonly text: string
  /** Of the text's first character; undefined if the format has none there. */
  readonly position?: Position
  /** For a file inside the file: what follows the file's name. */
  readonly source?: string
}

interface Expectations {
  readonly facts: Readonly<Record<string, readonly Fact[]>>
  readonly unread: Readonly<Record<string, string>>
  readonly refused: Readonly<Record<string, string>>
}

const folder = join(import.meta.dirname, '__fixtures__')

export const expectations: Expectations = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'))

export const corpusFiles: readonly string[] = readdirSync(join(folder, 'corpus')).filter(
  (name) => name !== 'VERSIONS',
)

export const corpusFile = (name: string) => join(folder, 'corpus', name)

/** The text of a source with its positions. */
export interface ReadText {
  readonly text: string
  positionOf(index: number): Position | undefined
}

/** The texts of a file by their sources. @throws DocumentError */
export async function readTexts(path: string, options?: OpenOptions): Promise<ReadonlyMap<string, ReadText>> {
  const pieces = new Map<string, TextPiece[]>()
  for await (const piece of (await openDocuments([path], options)).open()) {
    pieces.set(piece.source, [...(pieces.get(piece.source) ?? []), piece])
  }
  return new Map([...pieces].map(([source, parts]) => [source, joined(parts)]))
}

function joined(pieces: readonly TextPiece[]): ReadText {
  const text = pieces.map((piece) => piece.text).join('')
  const marks = pieces.flatMap(({ position, offsetBytes: byte }) => (position ? [{ byte, position }] : []))
  const range = { source: '', startByte: 0, endByte: Buffer.byteLength(text), marks }
  return {
    text,
    positionOf: (index) => positionAt(range, text, Buffer.byteLength(text.slice(0, index))),
  }
}

/** The code of the error that reading a file ends with, or `read`. Other errors than ours are thrown. */
export async function outcomeOf(path: string, options?: OpenOptions): Promise<string> {
  try {
    for await (const _ of (await openDocuments([path], options)).open());
    return 'read'
  } catch (error) {
    if (MemAgentError.isInstance(error)) return error.code
    throw error
  }
}
