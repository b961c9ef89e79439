/** Decodes the byte pieces of one source, UTF-8 or UTF-16 with a byte order mark, and reports the offset of invalid bytes. */
import { DocumentError } from '../errors.ts'
import type { TextPiece } from './document.ts'
import { utf8Length } from './utf-8.ts'

/** Whether invalid bytes, including zero bytes, are an error, or become U+FFFD each as the Encoding Standard says. */
export type InvalidBytes = 'error' | 'replace'

interface Encoding {
  readonly label: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly name: string
  readonly mark: readonly number[]
}

const utf8: Encoding = { label: 'utf-8', name: 'UTF-8', mark: [0xef, 0xbb, 0xbf] }
const encodings: readonly Encoding[] = [
  utf8,
  { label: 'utf-16le', name: 'UTF-16', mark: [0xff, 0xfe] },
  { label: 'utf-16be', name: 'UTF-16', mark: [0xfe, 0xff] },
]

const startsWith = (bytes: Uint8Array, mark: readonly number[]) =>
  bytes.length >= mark.length && mark.every((byte, i) => bytes[i] === byte)

/** True while a source's first bytes may still turn out to be a byte order mark. */
export const mayBecomeMark = (start: Uint8Array): boolean =>
  encodings.some(({ mark }) => start.length < mark.length && start.every((byte, i) => mark[i] === byte))

/** Bytes of the byte order mark with which a source begins, if any. */
export const markBytesOf = (start: Uint8Array): number =>
  encodings.find(({ mark }) => startsWith(start, mark))?.mark.length ?? 0

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

export class PieceDecoder {
  readonly #source: string
  readonly #encoding: Encoding
  readonly #invalidBytes: InvalidBytes
  /** First bytes of a character that ends in the next piece. */
  #tail: Uint8Array = new Uint8Array(0)
  #offset: number
  #markBytes: number

  /**
   * @param start the source's first bytes, including a complete byte order mark if there is one; not consumed
   * @param offset of the first byte to decode
   */
  constructor(source: string, start: Uint8Array, invalidBytes: InvalidBytes = 'error', offset = 0) {
    this.#offset = offset
    const marked = encodings.find(({ mark }) => startsWith(start, mark))
    this.#source = source
    this.#invalidBytes = invalidBytes
    this.#encoding = marked ?? utf8
    this.#markBytes = marked?.mark.length ?? 0
  }

  /** At most one piece, plus one for every replacement. @throws DocumentError */
  *decode(bytes: Uint8Array, isLast: boolean): Iterable<TextPiece> {
    let rest = joined(this.#tail, bytes)
    if (this.#markBytes > 0) {
      rest = rest.subarray(this.#markBytes)
      this.#offset += this.#markBytes
      this.#markBytes = 0
    }
    const end = isLast ? rest.length : rest.length - incompleteBytes(rest, this.#encoding)
    // Copied, because the stream may reuse its buffer.
    this.#tail = Uint8Array.from(rest.subarray(end))
    if (end === 0) return
    const whole = rest.subarray(0, end)
    if (this.#invalidBytes === 'replace') {
      yield* this.#replaced(whole)
    } else {
      yield this.#piece(this.#textOf(whole), end)
    }
  }

  #piece(text: string, lengthBytes: number): TextPiece {
    const offsetBytes = this.#offset
    this.#offset += lengthBytes
    return {
      text,
      source: this.#source,
      offsetBytes,
      lengthBytes,
      ...(this.#encoding === utf8 ? {} : { bytesPerCodeUnit: 2 as const }),
    }
  }

  /** Every replacement is a piece of its own, because its text has other bytes than the source. */
  *#replaced(bytes: Uint8Array): Iterable<TextPiece> {
    const { label } = this.#encoding
    const text = new TextDecoder(label, { ignoreBOM: true }).decode(bytes)
    let [from, fromByte, byte, last] = [0, 0, 0, 0]
    for (const { index, 0: sign } of text.matchAll(/[\0\uFFFD]/g)) {
      byte += bytesOf(text.slice(last, index), label)
      last = index + 1
      if (sign !== '\0' && startsWith(bytes.subarray(byte, byte + 3), replacementBytes(label))) {
        byte += bytesOf(sign, label)
        continue
      }
      if (index > from) yield this.#piece(text.slice(from, index), byte - fromByte)
      const length = sign === '\0' ? bytesOf(sign, label) : undecodableLength(bytes.subarray(byte), label)
      yield this.#piece('\uFFFD', length)
      byte += length
      from = last
      fromByte = byte
    }
    if (from < text.length) yield this.#piece(text.slice(from), bytes.length - fromByte)
  }

  #textOf(bytes: Uint8Array): string {
    const { label, name } = this.#encoding
    let text: string
    try {
      text = new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch (cause) {
      // If there are zero bytes, the cause is not another encoding, and converting would not help.
      const zero = label === 'utf-8' ? bytes.indexOf(0) : -1
      if (zero >= 0) throw binary(this.#source, this.#offset + zero)
      const offset = this.#offset + firstUndecodable(bytes, label)
      throw new DocumentError({
        code: label === 'utf-8' ? 'document/not-utf-8' : 'document/not-utf-16',
        message: `${this.#source} is not ${name} text (byte ${offset}).`,
        hint: "If it is text in another encoding, convert it: iconv -f LATIN1 -t UTF-8 FILE (the `file` command guesses which). For a text with a few invalid bytes: --replace-invalid (in code: invalidBytes: 'replace')",
        details: { source: this.#source, offset },
        cause,
      })
    }
    const zero = text.indexOf('\0')
    if (zero >= 0) throw binary(this.#source, this.#offset + bytesOf(text.slice(0, zero), label))
    return text
  }
}

/** @param offset of a zero byte, which no text contains */
export const binary = (source: string, offset: number): DocumentError =>
  new DocumentError({
    code: 'document/binary',
    message: `${source} has zero bytes (byte ${offset}): it looks like a binary file, not text.`,
    hint: 'Extract its text first. UTF-16 text needs a byte order mark.',
    details: { source, offset },
  })

const bytesOf = (text: string, label: Encoding['label']) =>
  label === 'utf-8' ? utf8Length(text) : text.length * 2

/** Length of an unfinished character at the end. */
function incompleteBytes(bytes: Uint8Array, { label }: Encoding): number {
  if (label !== 'utf-8') {
    const odd = bytes.length % 2
    const high = bytes[bytes.length - odd - (label === 'utf-16le' ? 1 : 2)]
    return high !== undefined && (high & 0xfc) === 0xd8 ? odd + 2 : odd
  }
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? back : 0
  }
  return 0
}

/** Index of the first byte that decodes to a replacement character which is not in the text itself. */
function firstUndecodable(bytes: Uint8Array, label: Encoding['label']): number {
  const text = new TextDecoder(label, { ignoreBOM: true }).decode(bytes)
  const written = replacementBytes(label)
  let offset = 0
  let from = 0
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) {
    offset += bytesOf(text.slice(from, at), label)
    if (!startsWith(bytes.subarray(offset), written)) return offset
    from = at
  }
  return offset
}

/** The bytes of a U+FFFD that a text really contains. */
const replacementBytes = (label: Encoding['label']) =>
  label === 'utf-8' ? [0xef, 0xbf, 0xbd] : label === 'utf-16le' ? [0xfd, 0xff] : [0xff, 0xfd]

/**
 * Number of leading bytes that become one replacement: the longest prefix of a character, otherwise one byte; in UTF-16 one unit.
 */
function undecodableLength(bytes: Uint8Array, label: Encoding['label']): number {
  if (label !== 'utf-8') return Math.min(2, bytes.length)
  const decoder = new TextDecoder(label, { ignoreBOM: true })
  let length = 0
  while (length < bytes.length && decoder.decode(bytes.subarray(length, length + 1), { stream: true }) === '')
    length++
  return Math.max(1, length)
}
