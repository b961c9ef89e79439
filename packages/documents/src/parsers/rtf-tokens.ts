/** RTF as tokens. Text comes as bytes, whose meaning depends on the font. */

export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly name: string; readonly value: number | undefined }
  | { readonly kind: 'byte'; readonly byte: number }

const [open, close, backslash, quote, space, minus] = [..."{}\\' -"].map((sign) => sign.charCodeAt(0))
const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39

export function* rtfTokens(file: Uint8Array): Iterable<RtfToken> {
  let at = 0
  while (at < file.length) {
    const byte = file[at++]!
    if (byte === open) yield { kind: 'open' }
    else if (byte === close) yield { kind: 'close' }
    else if (byte !== backslash) {
      if (byte !== 0x0a && byte !== 0x0d && byte !== 0) yield { kind: 'byte', byte }
    } else if (file[at] === quote) {
      const code = Number.parseInt(String.fromCharCode(file[at + 1] ?? 0, file[at + 2] ?? 0), 16)
      at += 3
      if (!Number.isNaN(code)) yield { kind: 'byte', byte: code }
    } else if (!isLetter(file[at] ?? 0)) {
      yield symbol(file[at++] ?? 0)
    } else {
      const start = at
      while (at < file.length && at - start < 32 && isLetter(file[at]!)) at++
      const name = String.fromCharCode(...file.subarray(start, at))
      const from = at
      if (file[at] === minus) at++
      while (at < file.length && at - from < 11 && isDigit(file[at]!)) at++
      const digits = String.fromCharCode(...file.subarray(from, at))
      const value = /\d/.test(digits) ? Number(digits) : undefined
      if (file[at] === space) at++
      if (name === 'bin') at += Math.max(0, value ?? 0)
      else yield { kind: 'word', name, value }
    }
  }
}

/** A backslash and a symbol: an escaped brace, `\~`, `\*`, or a line break, which ends the paragraph. */
function symbol(byte: number): RtfToken {
  if (byte === open || byte === close || byte === backslash) return { kind: 'byte', byte }
  const isBreak = byte === 0x0a || byte === 0x0d
  return { kind: 'word', name: isBreak ? 'par' : String.fromCharCode(byte), value: undefined }
}
