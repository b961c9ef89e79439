/** Writes zip archives byte by byte, so that tests can make broken and hostile ones. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZippedFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly isEncrypted?: boolean
  readonly isLink?: boolean
  readonly isStored?: boolean
  /** @default that of the content */
  readonly method?: number
  /** @default the right one */
  readonly checksum?: number
}

export function zipOf(files: readonly ZippedFile[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const content = typeof file.content === 'string' ? Buffer.from(file.content, 'latin1') : file.content
    const packed = file.isStored ? content : deflateRawSync(content)
    const name = Buffer.from(file.name)
    // From `version needed` to `extra field length`: the same in both headers.
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE((file.isEncrypted ? 1 : 0) | 0x800, 2)
    shared.writeUInt16LE(file.method ?? (file.isStored ? 0 : 8), 4)
    shared.writeUInt32LE(file.checksum ?? crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(file.isLink ? 0o120777 * 0x10000 : 0, 6)
    rest.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), shared, rest, name]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}
