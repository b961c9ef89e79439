/** The text of one source, and of everything inside it, as pieces with byte offsets and positions. */
import { type TextPiece, utf8Length } from '@memagent/core'
import { overLimit } from './failures.ts'
import type { ByteSource, LoadContext, Loader } from './loader.ts'
import { recognizeSource } from './recognize-source.ts'

/**
 * Offsets count UTF-8 bytes of the text that was extracted. A source without text has one empty piece.
 * @throws DocumentError
 */
export async function* readSource(
  source: ByteSource,
  context: LoadContext,
  loaders: readonly Loader[],
  depth = 0,
): AsyncGenerator<TextPiece> {
  const { name } = source
  if (depth > context.limits.depth) {
    throw overLimit(name, `it is inside more than ${context.limits.depth} files`)
  }
  const recognized = await recognizeSource(source, loaders)
  let offsetBytes = 0
  let isEmpty = true
  for await (const loaded of recognized.loader.load(recognized.source, context)) {
    context.signal?.throwIfAborted()
    isEmpty = false
    if ('entry' in loaded) {
      yield* readSource(loaded.entry, context, loaders, depth + 1)
      continue
    }
    const lengthBytes = utf8Length(loaded.text)
    yield { ...loaded, source: name, offsetBytes, lengthBytes }
    offsetBytes += lengthBytes
  }
  if (isEmpty) yield { text: '', source: name, offsetBytes: 0, lengthBytes: 0 }
}
