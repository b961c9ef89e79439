/** Zip archives, entry by entry in the order of the archive. */
import { crc32 } from 'node:zlib'
import {
  fromBufferPromise,
  getFileNameLowLevel,
  openPromise,
  type Entry as ZipEntry,
  type ZipFile,
} from 'yauzl'
import { wholeBytes } from '../byte-source.ts'
import { brokenUnlessKnown, encrypted } from '../failures.ts'
import type { ByteSource, LoadContext, Loader } from '../loader.ts'
import { HiddenEntries, refused, unsafeEntry, unsafeName } from '../unsafe-entry.ts'

const kind = 'a zip archive'
// With `decodeStrings`, the library would stop at an unsafe name, and later entries could not be read.
const options = { lazyEntries: true, autoClose: false, decodeStrings: false }
const [stored, deflated] = [0, 8]
const methods: Readonly<Record<number, string>> = {
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'xz',
}
const [typeOfFile, symbolicLink] = [0o170000, 0o120000]

export const zip: Loader = {
  name: 'zip',
  version: 3,
  kinds: ['zip'],
  isContainer: true,
  async *load(source, context) {
    let archive: ZipFile | undefined
    const hidden = new HiddenEntries()
    try {
      archive = source.path
        ? await openPromise(source.path, options)
        : await fromBufferPromise(await wholeBytes(source, context), options)
      for await (const entry of archive.eachEntry()) {
        const own = getFileNameLowLevel(
          entry.generalPurposeBitFlag,
          entry.fileNameRaw,
          entry.extraFields,
          false,
        )
        if (!own.endsWith('/') && (unsafeName(own) || !hidden.leavesOut(own)))
          yield { entry: sourceOf(entry, own, archive, source.name, context) }
      }
      hidden.tell(source.name, context)
    } catch (error) {
      throw brokenUnlessKnown(error, source.name, kind, context)
    } finally {
      archive?.close()
    }
  },
}

/** @param own name of the entry in the archive */
function sourceOf(
  entry: ZipEntry,
  own: string,
  archive: ZipFile,
  archiveName: string,
  context: LoadContext,
): ByteSource {
  const name = `${archiveName}/${own}`
  const why = unsafeName(own)
  if (why) return refused(name, unsafeEntry(archiveName, own, why))
  if (entry.isEncrypted()) return refused(name, encrypted(name, 'an entry of a zip archive'))
  if (((entry.externalFileAttributes >>> 16) & typeOfFile) === symbolicLink) {
    return refused(name, unsafeEntry(archiveName, own, 'it is a symbolic link'))
  }
  const { compressionMethod: method } = entry
  if (method !== stored && method !== deflated) {
    const why = `it is compressed with ${methods[method] ?? `method ${method}`}`
    return refused(name, unsafeEntry(archiveName, own, why))
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
