/**
 * Text of documents and models with every character visible that could pass for something else: those that steer, reorder
 * or hide what stands around them. Line breaks and tabs stay.
 */
const hidden = /(?![\n\t])[\p{Cc}\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

export const visible = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(hidden, (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
