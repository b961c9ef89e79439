/** Where paragraphs, sentences and lines of a text end. */

const paragraphEnd = /\n(?:[^\S\n]*\n)+/g
/**
 * Punctuation that ends a sentence, with closing quotes and brackets; or the same in scripts without spaces; or a line break. The
 * first kind is matched without the white space that must follow: requiring it in the pattern would make every mark of a long run
 * scan the rest of the run.
 */
const sentenceEnd = /([.!?…][.!?…"'”’»)\]]*)|[。！？][。！？"'”’」』）]*|\n+/g

/** Ends are usually near, so this much is searched first; `furthest` goes back in steps of `step`. */
const near = 576
const step = 512

/** The last end of a paragraph in [`from`, `last`]. */
export const lastParagraphEnd = (text: string, from: number, last: number): number | undefined =>
  lastMatchEnd(paragraphEnd, text, from, last)

/** The last end of a sentence or line in [`from`, `last`]. */
export const lastSentenceEnd = (text: string, from: number, last: number): number | undefined =>
  lastMatchEnd(sentenceEnd, text, from, last)

/** Looks at one character after `last`: whether white space follows, or the match continues. */
function lastMatchEnd(pattern: RegExp, text: string, from: number, last: number): number | undefined {
  const seen = text.slice(0, last + 1)
  const first = Math.max(0, last - near)
  // A match may begin a little before `from`. The distance decides whether very long ones count, and recorded chunks depend on
  // it.
  const furthest = Math.max(0, last - step * Math.floor((last - from) / step) - near)
  return (
    lastEndBehind(pattern, seen, first, from, last) ??
    (furthest < first ? lastEndBehind(pattern, seen, furthest, from, last) : undefined)
  )
}

function lastEndBehind(
  pattern: RegExp,
  text: string,
  start: number,
  from: number,
  last: number,
): number | undefined {
  let found: number | undefined
  pattern.lastIndex = start
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const end = match.index + match[0].length
    if (end > last) break
    const isEnd = match[1] === undefined || /^\s/.test(text.charAt(end))
    if (isEnd && end >= from) found = end
  }
  return found
}
