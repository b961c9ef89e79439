/** One file compressed with gzip, or with Zstandard where Node can: its content, under the name without the ending. */
import { pipeline, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { readableOf } from '../byte-source.ts'
import { brokenUnlessKnown } from '../failures.ts'
import type { Loader } from '../loader.ts'

const compressed = (name: string, kind: string, ending: RegExp, decompress: () => Transform): Loader => ({
  name,
  version: 1,
  kinds: [name],
  isContainer: true,
  async *load(source, context) {
    const fileName = source.fileName ?? source.name.split('/').at(-1)!
    yield {
      entry: {
        name: source.name,
        fileName: fileName.replace(/\.tgz$/i, '.tar').replace(ending, ''),
        isLive: source.isLive,
        async *stream() {
          const bytes = decompress()
          // What fails is thrown by the loop.
          pipeline(readableOf(source), bytes, () => undefined)
          try {
            yield* bytes
          } catch (error) {
            throw brokenUnlessKnown(error, source.name, kind, context)
          }
        },
      },
    }
  },
})

export const gzip = compressed('gzip', 'compressed with gzip', /\.gz$/i, zlib.createGunzip)

/** Node has it from 22.15 on; without it, the file is refused with the command that unpacks it. */
export const zstd: Loader | undefined =
  'createZstdDecompress' in zlib
    ? compressed('zstd', 'compressed with Zstandard', /\.zst$/i, zlib.createZstdDecompress)
    : undefined
