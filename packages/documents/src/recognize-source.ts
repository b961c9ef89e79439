/** Chooses the loader of a source by its first bytes; its name only decides between text formats. */
import { MemAgentError, recognize } from '@memagent/core'
import { peek } from './byte-source.ts'
import { loaderFailed, notClaimed, unknownKind } from './failures.ts'
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

/** @throws DocumentError for content that no loader reads, and if a loader cannot say whether it does */
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
  let loader: Loader | undefined
  try {
    loader = loaders.find((one) =>
      kind === undefined || kind === 'undecided'
        ? isClaimed(source.name, start, one)
        : one.kinds?.includes(kind.id),
    )
  } catch (error) {
    await close()
    throw error
  }
  const markBytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  if (loader) return { loader, start, markBytes, source: peeked.source, close }
  await close()
  throw kind === undefined || kind === 'undecided' ? notClaimed(source.name) : unknownKind(source.name, kind)
}

function isClaimed(source: string, start: TextStart, loader: Loader): boolean | undefined {
  try {
    return loader.claims?.(start)
  } catch (error) {
    throw MemAgentError.isInstance(error) ? error : loaderFailed(loader.name, source, error)
  }
}
