/** Which loader reads a source: by its first bytes; its name only decides between kinds of text. */
import { notText, recognize } from '@memagent/core'
import { peek } from './byte-source.ts'
import type { ByteSource, Loader } from './loader.ts'

/** Enough to recognize a format of text. */
const textBytes = 4096

export interface RecognizedSource {
  readonly loader: Loader
  readonly source: ByteSource
  /** Without reading it. */
  close(): Promise<void>
}

/** @throws DocumentError for content that no loader reads */
export async function recognizeSource(
  source: ByteSource,
  loaders: readonly Loader[],
): Promise<RecognizedSource> {
  const peeked = await peek(
    source,
    (start, isWhole) => start.length >= textBytes && recognize(start, isWhole) !== 'undecided',
  )
  const { start, isWhole, close } = peeked
  const kind = recognize(start, isWhole)
  const found = (loader: Loader) => ({ loader, source: peeked.source, close })
  if (kind !== undefined && kind !== 'undecided') {
    const reader = loaders.find(({ kinds }) => kinds?.includes(kind.id))
    if (reader) return found(reader)
    await close()
    throw notText(source.name, kind)
  }
  const fileName = source.name.split('/').at(-1)!.toLowerCase()
  const text = new TextDecoder().decode(start.subarray(0, textBytes))
  return found(loaders.find((loader) => loader.claims?.({ fileName, text }))!)
}
