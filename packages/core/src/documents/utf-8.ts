/** Sizes and safe cuts of text: UTF-8 length of a string, and positions outside surrogate pairs. */

/** Length of a text in UTF-8; three bytes for a lone surrogate, as encoders replace it. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    bytes += code < 0x800 ? 1 : 2
    // A surrogate pair is four bytes in two code units; the first counts for both.
    if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(i + 1))) i++
  }
  return bytes
}

/** `at`, or one less if that would split a surrogate pair. */
export function endOfPiece(text: string, at: number): number {
  if (at >= text.length) return text.length
  return isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at
}

export const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000
