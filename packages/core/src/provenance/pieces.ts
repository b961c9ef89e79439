/** Splits a text into pieces that may be a word, a number, a time or a sign, with their places. */

/** In code units of the text. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly text: string
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const noWordBefore = '(?<![\\p{L}\\d_])'
const noWordBehind = '(?![\\p{L}\\d_])'

const forms = [
  'https?://[^\\s"\'<>()]*[\\p{L}\\d/]', // an address
  '\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?(?!\\d)', // a date, with its time
  '(?<![\\d/])\\d{1,2}/\\d{1,2}/\\d{4}(?![\\d/])', // a date with slashes
  `${noWordBefore}[\\p{L}_][\\p{L}\\d_-]*(?:\\.[\\p{L}_][\\p{L}\\d_-]+)+`, // a file, a host, a member of a class
  `(?<![\\p{L}\\d-])(?!(?:mid|pre|post)-)(?=[\\p{L}\\d-]*\\d)\\p{L}[\\p{L}\\d]*(?:-[\\p{L}\\d]+)*-\\d+${noWordBehind}`, // a code: C-1041, eu-west-1
  `(?<![\\p{L}\\d-])(?=[\\p{Lu}\\d-]*\\d)(?=[\\p{Lu}\\d-]*\\p{Lu})[\\p{Lu}\\d]+(?:-[\\p{Lu}\\d]+)+${noWordBehind}`,
  '(?<![\\d.])(?:0?[1-9]|[12]\\d|3[01])\\.(?:\\s?(?:0?[1-9]|1[0-2])\\.\\s?\\d{4}(?!\\d)|(?:0?[1-9]|1[0-2])\\.(?=\\s+\\p{Ll}))', // a date in German
  '\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?!\\d|:\\d)', // a time
  '(?<![\\d/.,])(?:\\d+[ \\u00a0-]?)?[¼-¾⅐-⅞]|(?<![\\d/.,])\\d{1,3}[ \\u00a0-][1-9]\\d?/(?:2|3|4|8|16)(?![\\d/])', // 3½, 3 1/2
  "(?!0[.,])\\d{1,3}(?:[,.'’\\u00a0\\u202f]\\d{3})+(?:(?<!\\.\\d{3})\\.\\d+|(?<!,\\d{3}),\\d+)?(?![.,]?\\d)", // 1,250.50 and 1.250,50, but not 1.250.50
  '(?<![\\d.,])\\d{1,3}(?: \\d{3})+(?:[.,]\\d{1,2})?(?![\\d.,]|-\\d)',
  '\\d+(?:\\.\\d+){2,}', // a version
  '\\d+(?:[.,]\\d+)?(?=(?:k|K|M|m|B|bn|mn|x|×|p|s|ms|g|kg|mg|m|mm|cm|km|h|min|l|ml|W|kW|V|dB|[KMGT]?B|Hz|[KMG]Hz|lb|ft)(?![\\p{L}\\d_]))', // with its unit
  '(?<![\\d.,]|\\p{Lu}\\p{L}* )\\d+(?:[.,]\\d+)?(?=A(?![\\p{L}\\d_]))', // 10A, but not Gate 4A
  '\\d+(?:[.,]\\d+)?(?![\\p{L}\\p{N}_]*\\p{L})',
  '(?:Mio|Mrd)\\.',
  `[${unspaced}]`,
  `(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+(?:['’]\\p{L}+)*`,
  '[€$£%°]',
]
const pieces = new RegExp(forms.join('|'), 'gu')

export function piecesOf(text: string, most: number): readonly Piece[] {
  const found: Piece[] = []
  for (const match of text.matchAll(pieces)) {
    found.push({ start: match.index, end: match.index + match[0].length, text: match[0] })
    if (found.length >= most) break
  }
  return found
}

/** Whether only a space or a hyphen precedes the piece. */
export const isNear = (all: readonly Piece[], at: number, text: string): boolean =>
  all[at] !== undefined &&
  at > 0 &&
  /^[\s\u00a0\u202f-]{0,2}$/.test(text.slice(all[at - 1]!.end, all[at]!.start))
