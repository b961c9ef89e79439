/** An office file or book: a zip archive, read part by part. */
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { broken, encrypted, ParseFailure, type ParserLimits } from './parser.ts'
import { type XmlEvent, xmlEvents } from './xml.ts'

/** Below this, no ratio is suspicious. */
const harmlessBytes = 2 ** 24

export interface Relation {
  readonly type: string
  /** Name of the part that it points to. */
  readonly target: string
}

export class ZipPackage {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #limits: ParserLimits
  #unpacked = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, limits: ParserLimits) {
    this.#zip = zip
    this.#entries = entries
    this.#limits = limits
  }

  /** @throws ParseFailure */
  static async open(file: Uint8Array, limits: ParserLimits): Promise<ZipPackage> {
    const buffer = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
    const entries = new Map<string, Entry>()
    try {
      const zip = await fromBufferPromise(buffer, { lazyEntries: true })
      if (zip.entryCount > limits.entries) throw overLimit(`it has ${zip.entryCount} parts`)
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
      return new ZipPackage(zip, entries, limits)
    } catch (cause) {
      throw cause instanceof ParseFailure ? cause : broken((cause as Error).message)
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** The bytes of a part. @throws ParseFailure if it is missing, encrypted, broken or over a limit */
  async *read(name: string): AsyncIterable<Uint8Array> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw broken(`it has no part ${name}`)
    if (entry.isEncrypted()) throw encrypted()
    this.#checkSize(entry)
    let checksum = 0
    try {
      for await (const bytes of await this.#zip.openReadStreamPromise(entry)) {
        this.#unpacked += bytes.length
        checksum = crc32(bytes, checksum)
        yield bytes
      }
    } catch (cause) {
      if (cause instanceof ParseFailure) throw cause
      throw broken(`${name}: ${(cause as Error).message}`)
    }
    if (checksum !== entry.crc32) throw broken(`${name}: its checksum is wrong`)
  }

  /** Trusts declared sizes, since no more than those can be unpacked. */
  #checkSize({ uncompressedSize: size, compressedSize }: Entry): void {
    const { unpackedBytes, ratio } = this.#limits
    const total = this.#unpacked + size
    if (total > unpackedBytes) {
      throw overLimit(`it unpacks to more than ${Math.round(unpackedBytes / 2 ** 20)} MiB`)
    }
    if (size > harmlessBytes && size > ratio * compressedSize) {
      throw overLimit(`a part of it unpacks to more than ${ratio} times its size`)
    }
    // Catches many small parts, and one that is read again and again.
    if (total > harmlessBytes && total > ratio * this.#zip.fileSize) {
      throw overLimit(`it unpacks to more than ${ratio} times its size`)
    }
  }

  /** A part as XML. @throws ParseFailure */
  xml(name: string): AsyncIterable<XmlEvent> {
    return xmlEvents(this.read(name))
  }

  /** The same, or nothing if there is no such part. @throws ParseFailure */
  xmlIfAny(name: string | undefined): AsyncIterable<XmlEvent> | Iterable<XmlEvent> {
    return name !== undefined && this.has(name) ? this.xml(name) : []
  }

  /** What an Office part refers to, by id; `''` is the file itself. Links to outside the file are left out. */
  async relations(part: string): Promise<ReadonlyMap<string, Relation>> {
    const folder = part.slice(0, part.lastIndexOf('/') + 1)
    const name = `${folder}_rels/${part.slice(folder.length)}.rels`
    const relations = new Map<string, Relation>()
    for await (const event of this.xmlIfAny(name)) {
      if (event.kind !== 'open' || event.name !== 'Relationship') continue
      const { Id: id, Type: type = '', Target: target, TargetMode: mode } = event.attributes
      if (id === undefined || target === undefined || mode === 'External') continue
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: resolvePart(folder, target) })
    }
    return relations
  }

  /** The main part of an Office file. @throws ParseFailure */
  async mainPart(): Promise<string> {
    for (const { type, target } of (await this.relations('')).values()) {
      if (type === 'officeDocument') return target
    }
    throw broken('it names no main part')
  }
}

/** Resolves the name of a part, relative to a folder or from the root. */
export function resolvePart(folder: string, target: string): string {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '.' && name !== '') names.push(name)
  }
  return names.join('/')
}

const overLimit = (what: string) => new ParseFailure('over-limit', what)
