/**
 * Tells text from the numbers of glyphs. A font may show letters without telling which they are; what is extracted then begins
 * like `7KH\u0003FRGH`, and no question finds its answer there.
 */

/** Of all characters. Ligatures of old fonts are controls, too, but few. */
const mostControls = 0.08
/** On a page of few characters, one or two say nothing. */
const fewControls = 4
/** Of all characters; bullets of symbol fonts are private characters, too. */
const mostPrivate = 0.5

export function isLegible(text: string): boolean {
  const count = (signs: RegExp) => text.match(signs)?.length ?? 0
  // Unlike tabs and line breaks, which are added to the text.
  const controls = count(/(?![\t\n])[\p{Cc}\ufffd]/gu)
  if (controls > fewControls && controls >= mostControls * text.length) return false
  return count(/[\ue000-\uf8ff]/g) < mostPrivate * Math.max(1, text.length)
}
