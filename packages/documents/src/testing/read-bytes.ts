/** Reads bytes as if they were a file; for tests. */
import type { Position, TextPiece } from '@memagent/core'
import { defaultLimits, type Limits } from '../limits.ts'
import type { SourceRemark } from '../loader.ts'
import { readSource } from '../read-source.ts'
import { loaders } from '../registry.ts'

export interface ReadBytesOptions {
  /** Size of each piece of the stream. @default all at once */
  readonly pieceBytes?: number
  readonly limits?: Partial<Limits>
  readonly skipsUnreadable?: boolean
  readonly remarks?: SourceRemark[]
  readonly invalidBytes?: 'replace'
}

/** @throws what the loader throws */
export async function readBytes(
  bytes: Uint8Array | string,
  name: string,
  { pieceBytes, limits, remarks, ...options }: ReadBytesOptions = {},
): Promise<TextPiece[]> {
  const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  const step = pieceBytes ?? Math.max(1, all.length)
  const source = {
    name,
    sizeBytes: all.length,
    async *stream() {
      for (let from = 0; from < all.length; from += step) yield all.subarray(from, from + step)
    },
  }
  const reading = {
    ...options,
    loaders,
    limits: { ...defaultLimits, ...limits },
    onRemark: (remark: SourceRemark) => remarks?.push(remark),
  }
  const pieces: TextPiece[] = []
  for await (const piece of readSource(source, reading)) pieces.push(piece)
  return pieces
}

export const textOf = (pieces: readonly TextPiece[]): string => pieces.map(({ text }) => text).join('')

/** The source and position of the first occurrence of some words. */
export function placeOf(
  pieces: readonly TextPiece[],
  words: string,
): { readonly source: string; readonly position: Position | undefined } | undefined {
  let [source, before]: [string | undefined, string] = [undefined, '']
  let start: Position | undefined
  for (const piece of pieces) {
    if (piece.source !== source) [source, before, start] = [piece.source, '', undefined]
    if (piece.position) [start, before] = [piece.position, '']
    const at = piece.text.indexOf(words)
    if (at >= 0) {
      const lines = (before + piece.text.slice(0, at)).split('\n').length - 1
      const position = start?.line === undefined ? start : { ...start, line: start.line + lines }
      return { source, position }
    }
    before += piece.text
  }
  return undefined
}
