/**
 * Lines with Arabic or Hebrew in the order in which they are read. A PDF has its pieces from left to right, as they stand; the library
 * turns each of them round, but not their order.
 */

export interface PlacedText {
  readonly text: string
  /** It has letters that are written from right to left. */
  readonly isRtl: boolean
}

/** Letters from right to left, without Arabic digits, which are written from left to right. */
const rtl = /[\u05be-\u05f4\u0620-\u064a\u066e-\u06d5\u06fa-\u07ff\u0860-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g
const letter = /\p{L}/u
/** A number with the signs that keep to it, or one other sign. */
const numberOrSign = /[$€£₪]?\p{Nd}+(?:[.,:/\u066b\u066c-]\p{Nd}+)*[%$€£₪°\u066a]?|./gsu
/** What keeps to a word from left to right. */
const strong = /[\p{L}\p{M}\p{N}%$€£₪°]/u
const brackets = '()[]{}<>«»'

/** In letters that people type: PDFs have a form of each for the beginning, middle and end of a word. */
export function placedText(text: string): PlacedText {
  const typed = text.replaceAll(/[\ufb1d-\ufdff\ufe70-\ufefc]/g, (form) => form.normalize('NFKC').trim())
  const isRtl = typed.search(rtl) >= 0
  return { text: isRtl ? typed.replaceAll(/[()[\]{}<>«»]/g, mirrored) : typed, isRtl }
}

/** Whether most letters of a line are written from right to left. */
export function isRtlLine(parts: readonly PlacedText[]): boolean {
  const text = parts.map((part) => part.text).join('')
  return 2 * (text.match(rtl)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0)
}

/** @param parts of a line, from left to right */
export function logicalText(parts: readonly PlacedText[], isRtl: boolean): string {
  if (isRtl) return fromRight(parts)
  let text = ''
  let run: PlacedText[] = []
  for (const part of [...parts, { text: '\t', isRtl: false }]) {
    if (part.isRtl || (run.length > 0 && !/[\p{L}\t]/u.test(part.text))) run.push(part)
    else {
      const end = run.findLastIndex((one) => one.isRtl) + 1
      text += fromRight(run.slice(0, end))
      for (const one of [...run.slice(end), part]) text += one.text
      run = []
    }
  }
  return text.slice(0, -1)
}

function fromRight(parts: readonly PlacedText[]): string {
  const joined: PlacedText[] = []
  for (const { text, isRtl } of parts) {
    const last = joined.at(-1)
    if (last && !isRtl && !last.isRtl) joined[joined.length - 1] = { text: last.text + text, isRtl }
    else joined.push({ text, isRtl })
  }
  return joined
    .flatMap(({ text, isRtl }) => (isRtl ? text : text.split(/(\t)/).flatMap(piecesOf)))
    .reverse()
    .join('')
}

/** Pieces of a text without such letters, each of which is read from left to right. */
function piecesOf(text: string): readonly string[] {
  if (!letter.test(text)) return (text.match(numberOrSign) ?? []).map(mirrored)
  const signs = [...text]
  const isStrong = (sign: string) => strong.test(sign)
  const first = signs.findIndex(isStrong)
  const words = signs.slice(first, signs.findLastIndex(isStrong) + 1)
  // The end of brackets that begin among the words belongs to them, too.
  const close = signs[first + words.length]
  if (close !== undefined && mirrored(close) !== close && words.includes(mirrored(close))) words.push(close)
  return [
    ...signs.slice(0, first).map(mirrored),
    words.join(''),
    ...signs.slice(first + words.length).map(mirrored),
  ]
}

/** A bracket as it stands from right to left. */
function mirrored(sign: string): string {
  const at = sign.length === 1 ? brackets.indexOf(sign) : -1
  return at < 0 ? sign : brackets[at ^ 1]!
}
