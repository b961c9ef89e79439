/** Documents from texts and byte streams; decoding keeps byte offsets. Files are in `file-document.ts`. */
import { DocumentError } from '../errors.ts'
import type { TextDocument, TextPiece } from './document.ts'
import { type InvalidBytes, joined, mayBecomeMark, PieceDecoder } from './piece-decoder.ts'
import { notText, recognize, tellingBytes } from './recognize.ts'
import { endOfPiece, isHighSurrogate, utf8Length } from './utf-8.ts'

/** Characters per piece of a text in memory. */
const pieceCharacters = 65_536

export function createTextDocument(text: string, name = 'text'): TextDocument {
  const sizeBytes = utf8Length(text)
  return {
    name,
    sizeBytes,
    isReopenable: true,
    async *open(signal) {
      let offsetBytes = 0
      for (let from = 0; from < text.length; ) {
        signal?.throwIfAborted()
        const to = endOfPiece(text, from + pieceCharacters)
        const piece = text.slice(from, to)
        const lengthBytes = utf8Length(piece)
        yield { text: piece, source: name, offsetBytes, lengthBytes }
        offsetBytes += lengthBytes
        from = to
      }
    },
    fingerprint: async () => `text:${sizeBytes}:${hashOf(text)}`,
  }
}

export interface DecodingOptions {
  /** Whether to fail on invalid bytes and report the offset, or replace them with U+FFFD. @default 'error' */
  readonly invalidBytes?: InvalidBytes | undefined
}

/** A document that can be read once: standard input, a network stream. */
export function createStreamDocument(
  stream: AsyncIterable<Uint8Array | string>,
  name: string,
  options: DecodingOptions = {},
): TextDocument {
  return readOnce({
    name,
    isReopenable: false,
    open: (signal) => decodeStream(stream, name, signal, options),
  })
}

/** The same document, but a second `open` fails instead of yielding an empty text. */
export function readOnce(document: TextDocument): TextDocument {
  let isOpened = false
  return {
    ...document,
    open(signal) {
      if (isOpened) {
        throw new DocumentError({
          code: 'document/read-once',
          message: `${document.name} can be read only once.`,
          hint: 'Save it to a file; the workflow reads it several times.',
        })
      }
      isOpened = true
      return document.open(signal)
    },
  }
}

/**
 * Decodes bytes into text pieces with byte offsets: UTF-8, or UTF-16 if there is a byte order mark. The mark is not part of the
 * text, which then starts at byte 3 or 2. Characters split across the stream's pieces are joined.
 * @param options.hasPauses a piece without bytes means that nothing follows for now: decide on the content from what came before
 * @throws DocumentError naming the kind of content if it is not text (a PDF, an archive), whatever `invalidBytes` says; naming
 * source and offset for invalid bytes, or for zero bytes (binary)
 */
export async function* decodeStream(
  stream: AsyncIterable<Uint8Array | string>,
  source: string,
  signal?: AbortSignal,
  { invalidBytes, hasPauses = false }: DecodingOptions & { readonly hasPauses?: boolean | undefined } = {},
): AsyncIterable<TextPiece> {
  let decoder: PieceDecoder | undefined
  let start: Uint8Array = new Uint8Array(0)
  let held: Uint8Array = new Uint8Array(0)
  /** Whether the bytes held back may be decoded. */
  const isText = (bytes: Uint8Array, isWhole: boolean): boolean => {
    held = joined(held, bytes)
    if (decoder && start.length >= tellingBytes) return true
    start = joined(start, bytes)
    const kind = recognize(start, isWhole)
    if (kind === 'undecided' || (!isWhole && mayBecomeMark(start))) return false
    if (kind !== undefined) throw notText(source, kind)
    decoder ??= new PieceDecoder(source, start, invalidBytes)
    return true
  }
  for await (const { bytes, wasText } of bytesOf(stream)) {
    signal?.throwIfAborted()
    const isPause = hasPauses && bytes.length === 0 && held.length > 0
    if (!isText(bytes, wasText || isPause)) continue
    yield* decoder!.decode(held, false)
    held = new Uint8Array(0)
  }
  signal?.throwIfAborted()
  if (isText(new Uint8Array(0), true)) yield* decoder!.decode(held, true)
}

interface Bytes {
  readonly bytes: Uint8Array
  /** The source yields strings, so it is text. */
  readonly wasText: boolean
}

/** Encodes strings of a stream; a surrogate pair split across two of them is joined. */
async function* bytesOf(stream: AsyncIterable<Uint8Array | string>): AsyncIterable<Bytes> {
  const encoder = new TextEncoder()
  let held = ''
  for await (const chunk of stream) {
    if (typeof chunk !== 'string') {
      if (held !== '') yield { bytes: encoder.encode(held), wasText: true }
      held = ''
      yield { bytes: chunk, wasText: false }
      continue
    }
    const text = held + chunk
    held = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : ''
    yield { bytes: encoder.encode(text.slice(0, text.length - held.length)), wasText: true }
  }
  if (held !== '') yield { bytes: encoder.encode(held), wasText: true }
}

/** FNV-1a over code units, twice with different offsets: for identity, not for security. */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x1000193]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}
