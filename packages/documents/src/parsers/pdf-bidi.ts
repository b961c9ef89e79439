/**
 * Puts lines with Arabic or Hebrew into reading order. A PDF has its pieces from left to right, as they are placed; the library
 * reverses each piece of direction `rtl`, but neither its brackets nor the order of the pieces.
 */

export interface PlacedText {
  readonly text: string
  /** Written from right to left. */
  readonly isRtl: boolean
  readonly x: number
}

/** Right-to-left letters, without Arabic digits, which are written from left to right. */
const rtlLetters =
  '\\u05be-\\u05f4\\u0620-\\u064a\\u066e-\\u06d5\\u06fa-\\u07ff\\u0860-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc'
const rtl = new RegExp(`[${rtlLetters}]`, 'g')
/** Right-to-left words, with the spaces between them. */
const rtlWords = new RegExp(`([${rtlLetters}](?:[${rtlLetters}\\p{M}\\s'"]*[${rtlLetters}\\p{M}])?)`, 'u')
/**
 * What the library leaves from left to right in a right-to-left piece: words with what is between them, and numbers. A bracket
 * that closes after a space has been reversed.
 */
const leftToRight = new RegExp(
  `(?![${rtlLetters}])\\p{L}(?:(?:(?!\\s[)\\]}]|[(\\[{]\\s)[^${rtlLetters}])*(?![${rtlLetters}])[\\p{L}\\p{M}\\p{Nd}])?|[$€£₪%]*\\p{Nd}+(?:[.,:/\\u066b\\u066c+-]\\p{Nd}+)*[%$€£₪°\\u066a]*|.`,
  'gsu',
)
const letter = /\p{L}/u
/** A number with the signs that belong to it, or one other character. A minus or plus must be at the start or follow a space. */
const numberOrSign =
  /(?:(?<=^|\s)[-+\u2212])?[$€£₪]?\p{Nd}+(?:[.,:/\u066b\u066c-]\p{Nd}+)*[%$€£₪°\u066a]?|./gsu
/** A negative number as browsers show it from right to left. */
const signBehind = /^([$€£₪]?\p{Nd}+(?:[.,]\p{Nd}+)*[%$€£₪]?)([-+\u2212])$/u
/** Characters that belong to a left-to-right word. */
const strong = /[\p{L}\p{M}\p{N}%$€£₪°]/u
const brackets = '()[]{}<>«»'

/** Whether most letters are written from right to left. */
export function isMostlyRtl(text: string): boolean {
  return 2 * (text.match(rtl)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0)
}

/**
 * Whether a page is read from right to left: most letters are right-to-left, and more lines with such letters begin at the
 * right than begin at the left with other letters.
 * @param lines their pieces in file order
 */
export function isRtlPage(
  lines: readonly (readonly { str: string; dir: string; transform: readonly number[] }[])[],
): boolean {
  if (!isMostlyRtl(lines.flatMap((line) => line.map(({ str }) => str)).join(''))) return false
  let more = 0
  for (const line of lines) {
    const placed = line
      .toSorted((one, other) => (one.transform[4] ?? 0) - (other.transform[4] ?? 0))
      .flatMap(({ str, dir }) =>
        dir === 'rtl' ? (str.match(/\p{L}/gu) ?? []).reverse() : (str.match(/\p{L}/gu) ?? []),
      )
    if (!placed.some(isMostlyRtl)) continue
    if (isMostlyRtl(placed.at(-1)!)) more++
    if (!isMostlyRtl(placed[0]!)) more--
  }
  return more > 0
}

/** @param str a piece of direction `rtl`, as the library gives it */
export function rtlText(str: string): string {
  const text = typed(str)
  if (!/[()[\]{}<>«»+\u2212-]/.test(text)) return text
  // Back to the placement on the page, which alone shows where brackets and signs belong.
  return text
    .split(rtlWords)
    .map((part, i, parts) => {
      if (i % 2 === 1) return part
      const placed = [...(part.match(leftToRight) ?? [])].reverse().join('')
      return piecesOf(placed, i === parts.length - 1)
        .toReversed()
        .join('')
    })
    .join('')
}

/** Replaces presentation forms by the letters that people type: PDFs have one for each place in a word. */
function typed(text: string): string {
  return text.replaceAll(/[\ufb1d-\ufdff\ufe70-\ufefc]/g, (form) => form.normalize('NFKC').trim())
}

/** A line, or a row with tabs between its cells, of a page read from right to left. @param parts from left to right */
export function fromRight(parts: readonly PlacedText[]): string {
  const cells: PlacedText[][] = [[]]
  for (const part of parts) {
    if (part.text === '\t') cells.push([])
    else cells.at(-1)!.push(part)
  }
  return cells
    .reverse()
    .map((cell) => (isFromLeft(cell) ? fromLeft(cell) : cellFromRight(cell)))
    .join('\t')
}

/** A line of a page read from left to right: in file order, except for adjacent right-to-left words. */
export function fromLeft(parts: readonly PlacedText[]): string {
  let text = ''
  for (let i = 0; i < parts.length; ) {
    const { length } = wordsFrom(parts, i)
    text += parts
      .slice(i, i + length)
      .reverse()
      .map((part) => part.text)
      .join('')
    i += length
  }
  return text
}

/** Right-to-left pieces with only spaces between them, ordered as on the page; otherwise just the one piece. */
function wordsFrom(parts: readonly PlacedText[], from: number): readonly PlacedText[] {
  let end = from + 1
  let last = parts[from]!
  if (!last.isRtl) return [last]
  for (let i = end; i < parts.length; i++) {
    const part = parts[i]!
    if (!part.isRtl && !/^[^\S\t]+$/.test(part.text)) break
    if (!part.isRtl) continue
    if (part.x <= last.x) break
    last = part
    end = i + 1
  }
  return parts.slice(from, end)
}

/** Whether it is a sentence or cell in a left-to-right language, perhaps with a right-to-left word inside. */
function isFromLeft(parts: readonly PlacedText[]): boolean {
  const text = parts.map((part) => part.text).join('')
  if (text.search(rtl) < 0) return !signBehind.test(text.trim())
  const lettered = parts.filter((part) => letter.test(part.text))
  return !isMostlyRtl(text) && !lettered[0]?.isRtl && !lettered.at(-1)?.isRtl && !rtlAtEnd(text)
}

const rtlAtEnd = (text: string) => isMostlyRtl(text.match(/\p{L}/gu)?.at(-1) ?? '')

function cellFromRight(parts: readonly PlacedText[]): string {
  const joined: PlacedText[] = []
  for (const part of parts.flatMap(directions)) {
    const last = joined.at(-1)
    if (last && !part.isRtl && !last.isRtl)
      joined[joined.length - 1] = { ...last, text: last.text + part.text }
    else joined.push(part)
  }
  return joined
    .flatMap(({ text, isRtl }, i) =>
      isRtl ? text : piecesOf(text, i === 0 || /^\s/.test(joined[i - 1]!.text)),
    )
    .reverse()
    .join('')
}

/** The library has reversed the right-to-left words of a left-to-right piece, each in its place. */
function directions(part: PlacedText): readonly PlacedText[] {
  if (part.isRtl || part.text.search(rtl) < 0) return [part]
  return typed(part.text)
    .split(rtlWords)
    .map((text, i) => ({ ...part, text, isRtl: i % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

/**
 * Splits a text without right-to-left letters into pieces that are each read from left to right.
 * @param isBegin nothing is to its left: a hyphen there does not belong to a word
 */
function piecesOf(text: string, isBegin: boolean): readonly string[] {
  if (!letter.test(text)) {
    // Any character in front keeps the hyphen from counting as the sign of a number.
    const pieces = isBegin ? text.match(numberOrSign) : `.${text}`.match(numberOrSign)?.slice(1)
    return (pieces ?? []).map(mirrored)
  }
  const signs = [...text]
  const isStrong = (sign: string) => strong.test(sign)
  let first = signs.findIndex(isStrong)
  let end = signs.findLastIndex(isStrong) + 1
  // C++, C#
  while (
    letter.test(signs[end - 1]!)
      ? /[+#]/.test(signs[end] ?? '')
      : /[+#]{2}/.test(signs.slice(end - 1, end + 1).join(''))
  )
    end++
  if (/[-+\u2212]/.test(signs[first - 1] ?? '') && /\p{Nd}/u.test(signs[first]!)) {
    if (first === 1 ? isBegin : /\s/.test(signs[first - 2]!)) first--
  }
  // If one of a pair of brackets is among the words, both belong to them.
  for (let isMore = true; isMore; ) {
    const words = signs.slice(first, end)
    isMore = false
    if (isOpen(words, signs[end], 1)) [end, isMore] = [end + 1, true]
    else if (isOpen(words, signs[first - 1], 0)) [first, isMore] = [first - 1, true]
  }
  return [
    ...signs.slice(0, first).map(mirrored),
    signs.slice(first, end).join(''),
    ...signs.slice(end).map(mirrored),
  ]
}

/** Whether a bracket, opening (0) or closing (1), has an unmatched partner among the words. */
function isOpen(words: readonly string[], bracket: string | undefined, side: 0 | 1): boolean {
  const at = bracket ? brackets.indexOf(bracket) : -1
  if (at < 0 || at % 2 !== side) return false
  const count = (sign: string) => words.filter((one) => one === sign).length
  return count(mirrored(bracket!)) > count(bracket!)
}

/** Mirrors a bracket. */
function mirrored(sign: string): string {
  const at = sign.length === 1 ? brackets.indexOf(sign) : -1
  return at < 0 ? sign : brackets[at ^ 1]!
}
