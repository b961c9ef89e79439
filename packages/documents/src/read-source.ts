/** The text of one source, and of everything inside it, as pieces with byte offsets and positions. */
import { DocumentError, type Position, type TextPiece, type Unread, utf8Length } from '@memagent/core'
import { overLimit } from './failures.ts'
import type { ByteSource, LoadContext, Loader, SourceRemark } from './loader.ts'
import { recognizeSource } from './recognize-source.ts'
import { Unpacking } from './unpacking.ts'

export interface SourceReading extends LoadContext {
  readonly loaders: readonly Loader[]
  /** Turns sources that cannot be read into remarks. */
  readonly skipsUnreadable?: boolean | undefined
  /** Names of the document's texts so far. @default none: the source is the whole document */
  readonly names?: Set<string> | undefined
}

/** Offsets count UTF-8 bytes of the extracted text. A source without text yields one empty piece. @throws DocumentError */
export const readSource = (source: ByteSource, reading: SourceReading): AsyncGenerator<TextPiece> =>
  read(source, { names: new Set(), ...reading }, new Unpacking(reading.limits, source.sizeBytes), 0)

async function* read(
  source: ByteSource,
  reading: SourceReading,
  unpacking: Unpacking,
  depth: number,
): AsyncGenerator<TextPiece> {
  try {
    yield* content(source, reading, unpacking, depth)
  } catch (error) {
    if (!reading.skipsUnreadable || !DocumentError.isInstance(error)) throw error
    const isRest = unpacking.endsAt(error, depth)
    if (isRest && depth > 0) throw error
    const message = isRest ? `${error.message} The rest of ${source.name} was not read.` : error.message
    reading.onRemark?.({ code: 'source-skipped', source: source.name, message })
    yield unread(source.name, depth === 0 && !isRest ? 'source-skipped' : 'source-part-unread', message)
  }
}

/** Tells the reader of a text that part of it is missing. */
export const unread = (source: string, code: Unread['code'], message: string): TextPiece => ({
  text: '',
  source,
  offsetBytes: 0,
  lengthBytes: 0,
  unread: { code, message },
})

async function* content(
  source: ByteSource,
  reading: SourceReading,
  unpacking: Unpacking,
  depth: number,
): AsyncGenerator<TextPiece> {
  const { name } = source
  const { limits, loaders, signal } = reading
  if (depth > limits.depth) throw overLimit(name, `it is inside more than ${limits.depth} other files`)
  const { loader, source: recognized, start, close } = await recognizeSource(source, loaders)
  const missing: string[] = []
  const onRemark = (remark: SourceRemark) => {
    if (remark.code === 'source-part-unread') missing.push(remark.message)
    reading.onRemark?.(remark)
  }
  let offsetBytes = 0
  let isEmpty = true
  // A container without text of its own does not take a name that its entries may need.
  let ownName: string | undefined
  // A position may come before the first text that has it. Lines of a text that is not verbatim do not exist in the file.
  let told: Position | undefined = loader.isVerbatim ? undefined : {}
  try {
    for await (const loaded of loader.load(recognized, { ...reading, onRemark }, start)) {
      signal?.throwIfAborted()
      if ('entry' in loaded) {
        isEmpty = false
        yield* read(unpacking.counted(loaded.entry), reading, unpacking, depth + 1)
        continue
      }
      const { text, position = told } = loaded
      told = text === '' ? position : undefined
      if (text === '') continue
      isEmpty = false
      const lengthBytes = utf8Length(text)
      ownName ??= distinctName(name, reading.names)
      yield { text, ...(position && { position }), source: ownName, offsetBytes, lengthBytes }
      offsetBytes += lengthBytes
    }
  } finally {
    await close()
  }
  for (const message of missing) yield unread(name, 'source-part-unread', message)
  if (isEmpty) yield { text: '', source: distinctName(name, reading.names), offsetBytes: 0, lengthBytes: 0 }
}

/** Two attachments may have the same name, and a place in one must not be looked up in the other. */
function distinctName(name: string, names = new Set<string>()): string {
  let distinct = name
  for (let number = 2; names.has(distinct); number++) distinct = `${name} (${number})`
  names.add(distinct)
  return distinct
}
