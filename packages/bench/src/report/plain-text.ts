/** Text from documents and models as one line that cannot hide anything. Each format escapes it itself. */

/**
 * Collapses white space, makes other control characters visible, and drops characters that reorder text or have no width.
 * @param maxLength in characters; a longer text ends with an ellipsis
 */
export function plainText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const line = text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
    // Lone surrogates, and characters that XML forbids.
    .replace(/[\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .trim()
  const characters = line.length > maxLength ? [...line] : []
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line
}
