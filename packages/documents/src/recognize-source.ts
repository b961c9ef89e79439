/** Chooses the loader of a source by its first bytes; its name only decides between text formats. */
import { type FoundKind, recognize } from '@memagent/core'
import { peek } from './byte-source.ts'
import { unknownKind } from './failures.ts'
import type { ByteSource, Loader, TextStart } from './loader.ts'

/** Enough to recognize a text format. */
const textBytes = 4096

export interface RecognizedSource {
  readonly loader: Loader
  readonly source: ByteSource
  readonly start: TextStart
  /** Size of a UTF-8 byte order mark, which is not text. */
  readonly markBytes: 0 | 3
  /** Closes the source without reading it. */
  close(): Promise<void>
}

/** @throws DocumentError for content that no loader reads */
export async function recognizeSource(
  source: ByteSource,
  loaders: readonly Loader[],
): Promise<RecognizedSource> {
  const peeked = await peek(
    source,
    (start, isWhole) =>
      start.length >= (source.isLive ? 1 : textBytes) && recognize(start, isWhole) !== 'undecided',
  )
  const { start: bytes, isWhole, close } = peeked
  const kind = recognize(bytes, isWhole)
  const start = {
    fileName: (source.fileName ?? source.name.split('/').at(-1)!).toLowerCase(),
    text: new TextDecoder().decode(bytes.subarray(0, textBytes), { stream: true }),
  }
  const loader =
    kind === undefined || kind === 'undecided'
      ? loaders.find((one) => one.claims?.(start))
      : loaders.find(({ kinds }) => kinds?.includes(kind.id))
  const markBytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  if (loader) return { loader, start, markBytes, source: peeked.source, close }
  await close()
  throw unknownKind(source.name, kind as FoundKind)
}
