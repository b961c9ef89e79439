/** Files, folders, globs, archives and standard input as one document. */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type DecodingOptions,
  DocumentError,
  readOnce,
  type TextDocument,
  type TextPiece,
} from '@memagent/core'
import { fileSource, pipeSource, streamSource } from './byte-source.ts'
import { checkOpenOptions, checkPathList } from './check-options.ts'
import { type FileFilter, type FoundFile, findFiles, findNamed, type NamedFile } from './find-files.ts'
import { type Limits, limitsOf } from './limits.ts'
import type { ByteSource, Loader, SourceRemark } from './loader.ts'
import { usableLoaders } from './own-loaders.ts'
import { readSource, type SourceReading, unread } from './read-source.ts'
import { recognizeSource } from './recognize-source.ts'
import { identityOf, loaders as ownLoaders } from './registry.ts'

export interface OpenOptions extends DecodingOptions, Omit<FileFilter, 'onUnreadable'> {
  /** The stream that the path `-` stands for. @default none: `-` is an ordinary file name */
  readonly standardInput?: (AsyncIterable<Uint8Array | string> & { destroy?(): unknown }) | undefined
  /** Skips what cannot be read, with a remark for each. @default false: it fails */
  readonly skipsUnreadable?: boolean | undefined
  /** Reads a file to which several paths lead once, with a remark. @default false: as often as it is given */
  readonly skipsRepeated?: boolean | undefined
  /** Told about guessed encodings and skipped sources, each time the document is read; about repeated files as it is opened. */
  readonly onRemark?: ((remark: SourceRemark) => void) | undefined
  /** The first that claims a text, or reads its kind, is used. @default `loaders`, those of this package */
  readonly loaders?: readonly Loader[] | undefined
  /** Missing limits keep their defaults. */
  readonly limits?: Partial<Limits> | undefined
  readonly signal?: AbortSignal | undefined
}

type Item = FoundFile | 'standard input'

/**
 * Opens everything as one document, in the order given. Texts are joined by a line break if words would otherwise meet. The
 * identity is the content and how it was loaded: the same files under other paths are the same document.
 * @throws ConfigurationError for what is no path or option; DocumentError for an empty list, files that cannot be opened, or `-` given twice
 */
export async function openDocuments(
  paths: readonly (string | NamedFile)[],
  options: OpenOptions = {},
): Promise<TextDocument> {
  checkOpenOptions(options)
  const { standardInput } = options
  const [loaders, limits] = [usableLoaders(options.loaders), limitsOf(options.limits)]
  const isInput = (path: string | NamedFile) => path === '-' && standardInput !== undefined
  checkPaths(paths, isInput)
  const items: Item[] = []
  const missing: TextPiece[] = []
  const onUnreadable = ({ message }: DocumentError, source: string) => {
    missing.push(unread(source, 'source-skipped', message))
    options.onRemark?.({ code: 'source-skipped', source, message })
  }
  const filter = { ...options, ...(options.skipsUnreadable && { onUnreadable }) }
  const places = new Set<string>()
  for (const path of paths) {
    if (isInput(path)) items.push('standard input')
    else if (typeof path === 'object') items.push(await findNamed(path))
    else {
      const again: FoundFile[] = []
      for (const file of await findFiles([path], filter, options.signal)) {
        const place = options.skipsRepeated && (await placeOf(file))
        if (place && places.has(place)) again.push(file)
        else items.push(file)
        if (place) places.add(place)
      }
      if (again.length > 0) options.onRemark?.(repeated(path, again))
    }
  }
  const sourceOf = (item: Item, signal: AbortSignal | undefined): ByteSource => {
    if (item === 'standard input') return streamSource(item, standardInput!, signal)
    return item.isRegular
      ? fileSource(item.path, item.sizeBytes, signal, item.name)
      : pipeSource(item.path, signal)
  }
  async function* open(signal?: AbortSignal) {
    const reading = { ...options, limits, loaders, signal }
    const sources = items.map((item) => () => sourceOf(item, signal))
    yield* joinedTexts(sources, reading)
    yield* missing
  }
  const name = nameOf(paths, items)
  const files = items.filter((item) => item !== 'standard input' && item.isRegular) as readonly FoundFile[]
  // A pipe or device gives its bytes only once, so nothing but the text may read from it.
  if (files.length < items.length) return readOnce({ name, isReopenable: false, open })
  return {
    name,
    sizeBytes: await textSize(files, loaders, options.signal),
    isReopenable: true,
    open,
    fingerprint: (signal) =>
      fingerprintOf(
        files.map((file) => () => sourceOf(file, signal)),
        { ...options, loaders },
      ),
  }
}

/** The path without symbolic links; that of a pipe may lead nowhere. */
const placeOf = ({ path }: FoundFile) => realpath(path).catch(() => resolve(path))

/** One remark for all files of a folder, which may be very many. */
function repeated(path: string, files: readonly FoundFile[]): SourceRemark {
  const [source, which] =
    files.length === 1
      ? [files[0]!.path, `${files[0]!.path} is`]
      : [path, `${files.length} files of ${path} are`]
  return { code: 'source-repeated', source, message: `${which} given more than once, and read once.` }
}

function checkPaths(
  paths: readonly (string | NamedFile)[],
  isInput: (path: string | NamedFile) => boolean,
): void {
  checkPathList(paths)
  if (paths.length === 0) {
    throw new DocumentError({
      code: 'document/no-files',
      message: 'A document needs at least one file; the list of paths is empty.',
    })
  }
  if (paths.filter(isInput).length > 1) {
    throw new DocumentError({
      code: 'document/input-twice',
      message: 'Standard input (-) is given more than once, but can be read only once.',
      hint: 'Give it once, or save it to a file first. For a file named "-", write ./-',
    })
  }
}

/** Opening more files just to measure the text would take too long. */
const mostOpened = 1000

/** The size of the text, if it is known to be that of the files; a wrong size would misreport what is unread. */
async function textSize(
  files: readonly FoundFile[],
  loaders: readonly Loader[],
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (files.length > mostOpened) return undefined
  let size = 0
  for (const { path, name, sizeBytes } of files) {
    try {
      const source = fileSource(path, sizeBytes, signal, name)
      const { loader, start, markBytes, close } = await recognizeSource(source, loaders)
      await close()
      size -= markBytes
      // Other encodings have another size.
      if (!loader.isVerbatim || /[\0\ufffd]/.test(start.text)) return undefined
    } catch (error) {
      // Reading will report it.
      if (DocumentError.isInstance(error)) return undefined
      throw error
    }
    size += sizeBytes
  }
  return size
}

function nameOf(paths: readonly (string | NamedFile)[], items: readonly Item[]): string {
  const [first] = items
  if (items.length === 1) return first === 'standard input' ? first : (first!.name ?? first!.path)
  if (paths.length === 1) return `${paths[0]} (${items.length} files)`
  return `${items.length} ${items.includes('standard input') ? 'sources' : 'files'}`
}

/** Opens one source at a time. */
async function* joinedTexts(
  sources: readonly (() => ByteSource)[],
  reading: SourceReading,
): AsyncGenerator<TextPiece> {
  let last: TextPiece | undefined
  let [read, reason] = [false, '']
  const onRemark = (remark: SourceRemark) => {
    if (remark.code === 'source-skipped') reason ||= remark.message
    reading.onRemark?.(remark)
  }
  const names = new Set<string>()
  for (const source of sources) {
    for await (const piece of readSource(source(), { ...reading, names, onRemark })) {
      read ||= piece.unread === undefined
      if (last && piece.source !== last.source && wordsMeet(last.text, piece.text))
        yield lineBreakBehind(last)
      yield piece
      if (piece.text !== '') last = piece
    }
  }
  // Otherwise it would look like an empty text.
  if (!read && reason !== '') {
    throw new DocumentError({
      code: 'document/all-skipped',
      message: `None of the texts can be read. The first: ${reason}`,
      hint: 'Convert them to text first.',
    })
  }
}

/** Left out of the identity, so that runs from before there were loaders resume. */
const plainText = 'text@1'

/** SHA-256 of sizes, loaders and content; reads every file once (about a second per gigabyte). */
export async function fingerprintOf(
  sources: readonly (() => ByteSource)[],
  { invalidBytes, skipsUnreadable, loaders = ownLoaders }: OpenOptions,
): Promise<string> {
  const hash = createHash('sha256')
  for (const open of sources) {
    const source = open()
    let loader = 'none'
    try {
      const recognized = await recognizeSource(source, loaders)
      loader = identityOf(recognized.loader, loaders)
      await recognized.close()
    } catch (error) {
      if (!skipsUnreadable || !DocumentError.isInstance(error)) throw error
      continue
    }
    hash.update(loader === plainText ? `${source.sizeBytes}\0` : `${source.sizeBytes}\0${loader}\0`)
    for await (const bytes of open().stream()) hash.update(bytes)
  }
  const how = [invalidBytes === 'replace' ? 'replaced:' : '', skipsUnreadable ? 'readable:' : ''].join('')
  return `content:${how}${hash.digest('hex')}`
}

/** The end of a text also ends a word: a number there must not continue in the next one. */
const wordsMeet = (before: string, after: string) => /^\S\S$/.test(before.slice(-1) + after.slice(0, 1))

/** It belongs to the text before it, and has no bytes. */
const lineBreakBehind = ({ source, offsetBytes, lengthBytes }: TextPiece): TextPiece => ({
  text: '\n',
  source,
  offsetBytes: offsetBytes + lengthBytes,
  lengthBytes: 0,
})
