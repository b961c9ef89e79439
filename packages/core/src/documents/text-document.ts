/** Documents from texts and byte streams; decoding keeps byte offsets. Files are in `file-document.ts`. */
import { DocumentError } from '../errors.ts'
import type { Document, TextPiece } from './document.ts'

/** Characters of a text handed on at a time. */
const pieceCharacters = 65_536

/** A document from a text at hand. */
export function documentFromText(text: string, name = 'text'): Document {
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

/** A document that can be read once: standard input, a network stream. */
export function documentFromStream(stream: AsyncIterable<Uint8Array | string>, name: string): Document {
  let isOpened = false
  return {
    name,
    isReopenable: false,
    open(signal) {
      if (isOpened) {
        throw new DocumentError({
          code: 'document/read-once',
          message: `${name} can be read only once.`,
          hint: 'Save it to a file for workflows that read it several times.',
        })
      }
      isOpened = true
      return decodeStream(stream, name, signal)
    },
  }
}

/**
 * UTF-8 to text pieces with byte offsets; a byte order mark is skipped, characters split over chunks are joined.
 * @throws DocumentError for bytes that are no UTF-8, or zero bytes: binary
 */
export async function* decodeStream(
  stream: AsyncIterable<Uint8Array | string>,
  source: string,
  signal?: AbortSignal,
): AsyncIterable<TextPiece> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let offsetBytes = 0
  let isStart = true
  for await (const chunk of stream) {
    signal?.throwIfAborted()
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    const text = decode(decoder, bytes, source, offsetBytes, true)
    if (text === '') continue
    const isMarked = isStart && text.startsWith('\uFEFF')
    const lengthBytes = utf8Length(text)
    const piece = isMarked ? text.slice(1) : text
    yield { text: piece, source, offsetBytes, lengthBytes }
    offsetBytes += lengthBytes
    isStart = false
  }
  decode(decoder, new Uint8Array(0), source, offsetBytes, false)
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array,
  source: string,
  offset: number,
  isMore: boolean,
): string {
  let text: string
  try {
    text = decoder.decode(bytes, { stream: isMore })
  } catch (cause) {
    throw new DocumentError({
      code: 'document/not-utf-8',
      message: `${source} is not UTF-8 text (near byte ${offset}).`,
      hint: 'Convert it first, for instance: iconv -f LATIN1 -t UTF-8 FILE',
      details: { source, offset },
      cause,
    })
  }
  if (text.includes('\0')) {
    throw new DocumentError({
      code: 'document/binary',
      message: `${source} has zero bytes (near byte ${offset}): it looks like a binary file, not text.`,
      hint: 'Extract its text first.',
      details: { source, offset },
    })
  }
  return text
}

/** Bytes of a well-formed text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    bytes += code < 0x800 ? 1 : 2
    // A surrogate pair is four bytes: two code units, of which the first counts for all.
    if (code >= 0xd800 && code < 0xdc00 && i + 1 < text.length) i++
  }
  return bytes
}

/** Not inside a surrogate pair. */
export function endOfPiece(text: string, at: number): number {
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}

/** FNV-1a over code units, twice with different starts: identity of a text, not security. */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x1000193]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}
