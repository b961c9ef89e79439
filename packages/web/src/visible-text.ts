/**
 * Makes characters visible that control, reorder or hide the text around them, in text of documents and models. Line breaks
 * and tabs stay.
 */
const hidden =
  /(?![\n\t])[\p{Cc}\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

export const visible = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(hidden, (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
