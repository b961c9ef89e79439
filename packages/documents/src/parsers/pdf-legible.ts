/**
 * Tells text from the numbers of glyphs. A font may show letters without telling which they are; what is extracted then begins
 * like `7KH\u0003FRGH`, and no question finds its answer there.
 */

/** Of all characters. Ligatures of old fonts are controls, too, but few. */
const mostControls = 0.08
/** Of all characters; bullets of symbol fonts are private characters, too. */
const mostPrivate = 0.5

export function isLegible(text: string): boolean {
  const share = (signs: RegExp) => (text.match(signs)?.length ?? 0) / Math.max(1, text.length)
  // Unlike tabs and line breaks, which are added to the text.
  return share(/(?![\t\n])[\p{Cc}\ufffd]/gu) < mostControls && share(/[\ue000-\uf8ff]/g) < mostPrivate
}
