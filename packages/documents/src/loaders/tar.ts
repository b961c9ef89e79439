/** Tar archives, entry by entry, as a stream. */
import { pipeline } from 'node:stream'
import { extract } from 'tar-stream'
import { readableOf } from '../byte-source.ts'
import { brokenUnlessKnown } from '../failures.ts'
import type { Loader } from '../loader.ts'
import { HiddenEntries, refused, unsafeEntry, unsafeName } from '../unsafe-entry.ts'

const kind = 'a tar archive'

export const tar: Loader = {
  name: 'tar',
  version: 2,
  kinds: ['tar'],
  isContainer: true,
  async *load(source, context) {
    const entries = extract()
    const hidden = new HiddenEntries()
    // Errors are thrown by the loop below.
    pipeline(readableOf(source), entries as unknown as NodeJS.WritableStream, () => undefined)
    try {
      for await (const stream of entries) {
        const { name: entry, type } = stream.header
        const name = `${source.name}/${entry.replace(/^(\.\/)+/, '')}`
        const isFile = type === 'file' || type === 'contiguous-file' || type === null
        const why = unsafeName(entry) ?? (isFile || type === 'directory' ? undefined : `it is a ${type}`)
        const isRead = unsafeName(entry) !== undefined || type === 'directory' || !hidden.leavesOut(entry)
        if (isRead && why) yield { entry: refused(name, unsafeEntry(source.name, entry, why)) }
        else if (isRead && isFile) {
          yield {
            entry: {
              name,
              sizeBytes: stream.header.size,
              async *stream() {
                try {
                  yield* stream as AsyncIterable<Uint8Array>
                } catch (error) {
                  throw brokenUnlessKnown(error, source.name, kind, context)
                }
              },
            },
          }
        }
        stream.resume()
      }
      hidden.tell(source.name, context)
    } catch (error) {
      throw brokenUnlessKnown(error, source.name, kind, context)
    }
  },
}
