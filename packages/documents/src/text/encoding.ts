/** Finds the encoding of some bytes of a text. */
import { analyse } from 'chardet'

/** A label of the Encoding Standard, or one of two that it leaves out. */
export type EncodingLabel = string

export type FoundEncoding =
  /** UTF-8, or UTF-16 with a byte order mark; also bytes in no known encoding. */
  | { readonly is: 'unicode' }
  | { readonly is: 'known'; readonly label: EncodingLabel }
  /** From statistics, which can be wrong. */
  | { readonly is: 'guessed'; readonly label: EncodingLabel }

const unicode: FoundEncoding = { is: 'unicode' }
const leastConfidence = 10
/** Share of zero bytes at the places where Latin letters have them, and elsewhere. */
const [mostlyZero, rarelyZero] = [0.5, 0.05]

/** Whether bytes are more than ASCII: above 127, zero, or a change of the character set (ISO 2022). */
export function isMoreThanAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte >= 0x80 || byte === 0 || (byte === 0x1b && (bytes[i + 1] === 0x24 || bytes[i + 1] === 0x28))) {
      return true
    }
  }
  return false
}

/** @param isStart the bytes begin the source, and may have a byte order mark */
export function encodingOf(bytes: Uint8Array, isStart: boolean): FoundEncoding {
  if (isStart) {
    const [a, b, c, d] = bytes
    if (a === 0xff && b === 0xfe && c === 0 && d === 0) return { is: 'known', label: 'utf-32le' }
    if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { is: 'known', label: 'utf-32be' }
    if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return unicode
    const label = byZeros(bytes)
    if (label) return { is: 'known', label }
  }
  if (bytes.includes(0)) return unicode
  const { valid, invalid } = charactersOfUtf8(bytes)
  const hasEscapes = bytes.includes(0x1b)
  // A few invalid bytes among UTF-8 characters are damage, not another encoding.
  if (valid > invalid || (invalid === 0 && !hasEscapes) || hasControls(bytes)) return unicode
  const label = analyse(bytes).find(
    ({ name, confidence }) =>
      confidence >= leastConfidence && name !== 'UTF-8' && isKnown(name) && !isMisread(bytes, name),
  )?.name
  return label === undefined ? unicode : { is: 'guessed', label }
}

/** Signs that a text has in none of its languages: unassigned or private characters, controls. */
const meaningless = /[\ufffd\x80-\x9f\p{Co}\p{Cn}]/u
/** Signs of Eastern Europe that are alone; in Western encodings, their bytes are £, ², ¸ and the like. */
const alone = /[\u02c7\u02d8\u02d9\u02db\u02dd]|[Łł]\d/
const katakanaOfHalfWidth = /[\uff61-\uff9f]/g

/** With as many signs beyond ASCII, statistics are more reliable than single signs, which may be damage. */
const many = 50

/** Whether the text shows that a guess is wrong: statistics of few characters mean little. */
function isMisread(bytes: Uint8Array, label: EncodingLabel): boolean {
  // The last character may go on.
  const text = new TextDecoder(label).decode(bytes, { stream: true })
  const beyondAscii = text.match(/[^\0-\x7f]/g)?.length ?? 0
  if (beyondAscii >= many) return false
  if (meaningless.test(text) || /[a-z]\p{Script=Han}[a-z]/iu.test(text)) return true
  switch (label) {
    case 'ISO-8859-2':
      return alone.test(text)
    case 'Shift_JIS':
      return 2 * (text.match(katakanaOfHalfWidth)?.length ?? 0) > beyondAscii
    case 'EUC-JP':
      // Bytes of Chinese are valid, too, but Japanese has kana.
      return !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    default:
      return false
  }
}

export function isKnown(label: EncodingLabel): boolean {
  try {
    return new TextDecoder(label) !== undefined
  } catch {
    return false
  }
}

/** Whether a known label names UTF-8 or UTF-16. Of bytes whose encoding must be guessed, it is wrong. */
export const isUnicode = (label: EncodingLabel): boolean => new TextDecoder(label).encoding.startsWith('utf-')

/** UTF-16 and UTF-32 without a byte order mark. */
function byZeros(bytes: Uint8Array): EncodingLabel | undefined {
  const zeros = [0, 0, 0, 0]
  const length = bytes.length - (bytes.length % 4)
  if (bytes.length < 4) return undefined
  for (let i = 0; i < length; i++) if (bytes[i] === 0) zeros[i % 4]!++
  const [a, b, c, d] = zeros.map((count) => count / (length / 4)) as [number, number, number, number]
  const [least, most] = [Math.min, Math.max]
  if (least(b, c, d) > mostlyZero && a < rarelyZero) return 'utf-32le'
  if (least(a, b, c) > mostlyZero && d < rarelyZero) return 'utf-32be'
  if (least(b, d) > mostlyZero && most(a, c) < rarelyZero) return 'utf-16le'
  if (least(a, c) > mostlyZero && most(b, d) < rarelyZero) return 'utf-16be'
  return undefined
}

/** Counts multibyte characters, and bytes that begin none; an unfinished last character counts as neither. */
function charactersOfUtf8(bytes: Uint8Array): { readonly valid: number; readonly invalid: number } {
  let [valid, invalid] = [0, 0]
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i]!
    const length = byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0
    let following = 1
    while (following < length && ((bytes[i + following] ?? 0) & 0xc0) === 0x80) following++
    const isWhole = length > 0 && following === length
    if (isWhole && length > 1) valid++
    if (!isWhole && i + following < bytes.length) invalid++
    i += isWhole ? length : 1
  }
  return { valid, invalid }
}

/** Control characters that no text in a legacy encoding has: the file is binary. */
const hasControls = (bytes: Uint8Array) =>
  bytes.some((byte) => byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b && byte !== 0x1a)
