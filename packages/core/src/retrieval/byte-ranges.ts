/** Ranges of a document's bytes: where evidence is, and what was put into a prompt. */
import type { Chunk } from '../chunking/chunker.ts'

/** A range of a document's UTF-8 bytes; end exclusive. */
export interface ByteRange {
  readonly startByte: number
  readonly endByte: number
}

/** The range of a chunk's text in a document of one source. */
export function rangeOf({ ranges }: Pick<Chunk, 'ranges'>): ByteRange {
  return { startByte: ranges[0]?.startByte ?? 0, endByte: ranges.at(-1)?.endByte ?? 0 }
}

/** Total bytes of ranges that do not overlap. */
export const bytesOf = (ranges: readonly ByteRange[]): number =>
  ranges.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0)

/** The same bytes in as few ranges as possible, in order, none of them empty. */
export function mergeRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const merged: { startByte: number; endByte: number }[] = []
  const inOrder = ranges
    .filter(({ startByte, endByte }) => startByte < endByte)
    .toSorted((a, b) => a.startByte - b.startByte)
  for (const { startByte, endByte } of inOrder) {
    const last = merged.at(-1)
    if (last && startByte <= last.endByte) last.endByte = Math.max(last.endByte, endByte)
    else merged.push({ startByte, endByte })
  }
  return merged
}
