/** One file compressed with gzip, or with Zstandard if Node supports it: its content, under the name without the extension. */
import { pipeline } from 'node:stream'
import * as zlib from 'node:zlib'
import { readableOf } from '../byte-source.ts'
import { brokenUnlessKnown } from '../failures.ts'
import type { ByteSource, Loader } from '../loader.ts'

const compressed = (
  name: string,
  version: number,
  kind: string,
  ending: RegExp,
  unpacked: (source: ByteSource) => AsyncIterable<Uint8Array>,
): Loader => ({
  name,
  version,
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
          try {
            yield* unpacked(source)
          } catch (error) {
            throw brokenUnlessKnown(error, source.name, kind, context)
          }
        },
      },
    }
  },
})

function gunzipped(source: ByteSource): AsyncIterable<Uint8Array> {
  const bytes = zlib.createGunzip()
  // Errors reach whoever reads the bytes.
  pipeline(readableOf(source), bytes, () => undefined)
  return bytes
}

/** A file may consist of several frames. Node stops at a frame that ends inside a piece. */
async function* framesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  let frame = zlib.createZstdDecompress()
  try {
    for await (const piece of source.stream()) {
      for (let rest = Buffer.from(piece); rest.length > 0; ) {
        const before = frame.bytesWritten
        yield* outputUntil(frame, (done) => frame.write(rest, done))
        rest = rest.subarray(frame.bytesWritten - before)
        if (rest.length === 0) break
        frame.destroy()
        frame = zlib.createZstdDecompress()
      }
    }
    yield* outputUntil(frame, (done) => frame.once('end', done).end())
  } finally {
    frame.destroy()
  }
}

/** Yields the output until the operation that `begin` starts is done. @throws the error of the stream */
async function* outputUntil(
  stream: zlib.ZstdDecompress,
  begin: (done: () => void) => void,
): AsyncGenerator<Uint8Array> {
  let [isDone, failure]: [boolean, Error | undefined] = [false, undefined]
  let wake: () => void = () => undefined
  const onReadable = () => wake()
  const onError = (error: Error) => {
    failure = error
    wake()
  }
  stream.on('readable', onReadable).on('error', onError)
  begin(() => {
    isDone = true
    wake()
  })
  for (;;) {
    const bytes: Buffer | null = stream.read()
    if (failure) throw failure
    if (bytes) yield bytes
    else if (isDone) break
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  stream.off('readable', onReadable).off('error', onError)
}

export const gzip = compressed('gzip', 1, 'compressed with gzip', /\.gz$/i, gunzipped)

/** Node has it from 22.15 on; without it, the file is refused with the command that unpacks it. */
export const zstd: Loader | undefined =
  'createZstdDecompress' in zlib
    ? compressed('zstd', 2, 'compressed with Zstandard', /\.zst$/i, framesOf)
    : undefined
