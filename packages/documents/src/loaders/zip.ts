/** Zip archives, entry by entry in the order of the archive. */
import { crc32 } from 'node:zlib'
import { fromBufferPromise, openPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import { wholeBytes } from '../byte-source.ts'
import { brokenUnlessKnown, encrypted } from '../failures.ts'
import type { ByteSource, LoadContext, Loader } from '../loader.ts'
import { refused, unsafeEntry } from '../unsafe-entry.ts'

const kind = 'a zip archive'
const options = { lazyEntries: true, autoClose: false }
/** How yauzl says that an entry's name leads elsewhere. */
const unsafePath = /^(?:absolute path|invalid relative path): (.*)$/s
const [typeOfFile, symbolicLink] = [0o170000, 0o120000]

export const zip: Loader = {
  name: 'zip',
  version: 1,
  kinds: ['zip'],
  isContainer: true,
  async *load(source, context) {
    let archive: ZipFile | undefined
    try {
      archive = source.path
        ? await openPromise(source.path, options)
        : await fromBufferPromise(await wholeBytes(source, context), options)
      for await (const entry of archive.eachEntry()) {
        if (!entry.fileName.endsWith('/')) yield { entry: sourceOf(entry, archive, source.name, context) }
      }
    } catch (error) {
      const [, entry] = unsafePath.exec((error as Error).message) ?? []
      if (entry !== undefined) throw unsafeEntry(source.name, entry, 'its path leads out of the archive')
      throw brokenUnlessKnown(error, source.name, kind, context)
    } finally {
      archive?.close()
    }
  },
}

function sourceOf(entry: ZipEntry, archive: ZipFile, archiveName: string, context: LoadContext): ByteSource {
  const name = `${archiveName}/${entry.fileName}`
  if (entry.isEncrypted()) return refused(name, encrypted(name, 'an entry of a zip archive'))
  if (((entry.externalFileAttributes >>> 16) & typeOfFile) === symbolicLink) {
    return refused(name, unsafeEntry(archiveName, entry.fileName, 'it is a symbolic link'))
  }
  return {
    name,
    sizeBytes: entry.uncompressedSize,
    async *stream() {
      try {
        let checksum = 0
        for await (const bytes of await archive.openReadStreamPromise(entry)) {
          checksum = crc32(bytes, checksum)
          yield bytes
        }
        if (checksum !== entry.crc32) throw new Error('its checksum is another')
      } catch (error) {
        throw brokenUnlessKnown(error, name, 'an entry of a zip archive', context)
      }
    },
  }
}
