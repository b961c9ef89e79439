/**
 * F1 over the words shared by answer and reference, as defined by SQuAD (arXiv 1606.05250) and used by LongBench (arXiv
 * 2308.14508): lower case, without ASCII punctuation and articles; a word counts as often as both have it.
 */

/** @returns 0..1; 0 when nothing is left of either */
export function tokenF1(answer: string, reference: string): number {
  const said = squadWords(answer)
  const wanted = squadWords(reference)
  const left = new Map<string, number>()
  for (const word of wanted) {
    left.set(word, (left.get(word) ?? 0) + 1)
  }
  let shared = 0
  for (const word of said) {
    const count = left.get(word) ?? 0
    if (count > 0) {
      left.set(word, count - 1)
      shared += 1
    }
  }
  // 2pr / (p + r), with p = shared / said and r = shared / wanted
  return shared === 0 ? 0 : (2 * shared) / (said.length + wanted.length)
}

const punctuation = /[!-/:-@[-`{-~]/g
/** Whole words, even next to letters beyond ASCII. */
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/** SQuAD's normal form of a text, as words. */
export const squadWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(punctuation, '')
    .replace(articles, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
