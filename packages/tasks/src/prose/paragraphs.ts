/** Splits text into paragraphs short enough to plant sentences between them, skipping what is not prose. */

const longestParagraph = 1600

/** Documentation comments of a type declaration file, without their markers, tags and code; one paragraph each. */
export function docCommentsOf(source: string): string {
  const comments: string[] = []
  for (const match of source.matchAll(/\/\*\*([\s\S]*?)\*\//g)) {
    const text = match[1]!
      .replace(/^[ \t]*\*[ \t]?/gm, '')
      .replace(/```[\s\S]*?```/g, '')
      .split('\n')
      .filter((line) => !/^\s*@/.test(line))
      .join('\n')
      .replace(/\{@\w+\s+([^}]*)\}/g, '$1')
      .replace(/^\s*\[[^\]\n]*\]\([^)\n]*\)\s*$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
    if (text.length >= 80) {
      comments.push(text)
    }
  }
  return comments.length === 0 ? '' : `${comments.join('\n\n')}\n`
}

/**
 * Paragraphs in order, each with the blank lines after it; joined, they are the text (with `\n` line ends) without what is
 * not prose. None exceeds 1,600 characters by more than a word.
 */
export function splitParagraphs(text: string): string[] {
  const normal = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const paragraphs = normal.match(/[^\n][\s\S]*?(?:\n[ \t]*\n\s*|$)/g) ?? []
  return paragraphs.filter(isProse).flatMap(cutLong)
}

/** Mostly letters, no endless words (base64, minified code), and in an alphabet that English uses. */
function isProse(paragraph: string): boolean {
  if (/\S{400}/.test(paragraph)) {
    return false
  }
  let letters = 0
  let ink = 0
  for (let i = 0; i < paragraph.length; i += 1) {
    const code = paragraph.charCodeAt(i)
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122
    letters += isLetter ? 1 : 0
    ink += code > 32 ? 1 : 0
  }
  return letters >= 3 && letters / ink >= 0.55
}

/** Whether the start of the text is English: not binary, and with enough of its most common words. */
export function isReadableEnglish(text: string): boolean {
  const head = text.slice(0, 20_000)
  if (head.includes('\u0000') || (head.match(/\uFFFD/g)?.length ?? 0) > 5) {
    return false
  }
  const words = head.toLowerCase().match(/\p{L}+/gu) ?? []
  const common = words.filter((word) => commonWords.has(word)).length
  return words.length > 0 && common / words.length >= 0.06
}

const commonWords = new Set(
  'the of and to in is a for that this with be are or by not it as on from you'.split(' '),
)

function cutLong(paragraph: string): string[] {
  const pieces: string[] = []
  let rest = paragraph
  while (rest.length > longestParagraph) {
    const window = rest.slice(0, longestParagraph)
    const cut =
      lastEnd(window, /[.!?]["')\]]?\s+(?=\S)/g) ||
      window.lastIndexOf('\n') + 1 ||
      window.lastIndexOf(' ') + 1 ||
      longestParagraph
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...pieces, rest]
}

function lastEnd(text: string, pattern: RegExp): number {
  let end = 0
  for (const match of text.matchAll(pattern)) {
    end = match.index + match[0].length
  }
  return end
}
