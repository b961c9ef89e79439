/** The normalized form in which answers are compared. */

/**
 * Unicode NFKC, but `3½` becomes `3 1/2` and `10²` becomes `10^2`; lower case, white space runs to one space, typographic
 * quotes and dashes to plain ones, then quotes, brackets and closing punctuation around the whole removed, then one leading
 * article (`the`, `a`, `an`). Symbols that belong to a value stay: `$5`, `#3`, `-4`, `50%`, `+47`.
 */
export function normalizeAnswer(text: string): string {
  const plain = text
    .replace(/(?<=\p{Nd})(?=[¼-¾⅐-⅞↉])/gu, ' ')
    .replace(/(?<=\p{Nd})(?=[²³¹⁰⁴-⁹⁺⁻])/gu, '^')
    .normalize('NFKC')
    .replaceAll('\u2044', '/')
    .toLowerCase()
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
  return stripEnds(stripEnds(plain).replace(/^(the|an?) (?=\S)/, ''))
}

const stripEnds = (text: string): string =>
  text.replace(/^[\s"'`*_([{<]+/, '').replace(/[\s"'`*_)\]}>.,;:!?]+$/, '')
