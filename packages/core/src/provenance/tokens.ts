/** Splits a text into tokens with their places: words, and quantities in any notation. Pure functions. */
import { type Piece, piecesOf } from './pieces.ts'
import { quantityAt } from './quantities.ts'
import { timeAt } from './times.ts'
import type { Made, Read, Token } from './token.ts'
import { isFunctionWord, isNegator, keyOf } from './words/lookup.ts'
import { months } from './words/numbers.ts'

const mostTokens = 4000

/** Tokens of a text, up to a number that no sentence has. */
export function tokensOf(text: string): readonly Token[] {
  const pieces = piecesOf(text, mostTokens)
  const tokens: Token[] = []
  for (let i = 0; i < pieces.length; ) {
    const before = tokens.at(-1)
    const gap = text.slice(before?.end ?? 0, pieces[i]!.start)
    const isFirst = before === undefined || /[.!?:;\n•*|"“]\s*$/u.test(gap)
    const isCapital = /^\p{Lu}/u.test(pieces[i]!.text)
    const made =
      timeAt(pieces, i) ?? quantityAt(pieces, i, text) ?? wordAt(pieces[i]!, isFirst, pieces[i - 1])
    tokens.push(
      ...made.tokens.map((token, at) => ({
        isNegator: false,
        isFirst: isFirst && at === 0,
        isCapital,
        gap: at === 0 ? gap : ' ',
        ...token,
      })),
    )
    i += made.used
  }
  return ranged(tokens).map((token, i, all) => inContext(token, all, i))
}

/** In "20-91 %" both are per cent, and in "£205–215M" both are millions of pounds. */
function ranged(tokens: Token[]): readonly Token[] {
  for (const [i, second] of tokens.entries()) {
    const isDash = /^[-–—]$/.test(second.gap)
    const isWord = /^(?:to|and|or|bis|à|a)$/.test(tokens[i - 1]?.word ?? '')
    const at = isDash ? i - 1 : i - 2
    const first = tokens[at]
    if (second.kind !== 'number' || first?.kind !== 'number' || !(isDash || isWord)) continue
    const factor = second.factor ?? 1
    const scaled = (first.factor ?? 1) === 1 && factor > 1 ? first.values!.map((value) => value * factor) : []
    const values = isDash && scaled.length > 0 ? scaled : [...first.values!, ...scaled]
    tokens[at] = { ...first, values, units: first.units ?? second.units }
    tokens[i] = { ...second, units: second.units ?? (isDash ? first.units : undefined) }
  }
  return tokens
}

/** "Anna Mott" at the start of a sentence is a name, and "one" in "the cheaper one" is not a number. */
function inContext(token: Token, all: readonly Token[], i: number): Token {
  const [before, next] = [all[i - 1], all[i + 1]]
  if (token.isOrdinal && [before, next, all[i + 2]].some((other) => other?.key.startsWith('month:')))
    return { ...token, isOrdinal: false }
  const { kind, word, gap, isFirst } = token
  if (kind === 'number' && isLabel(token, before)) return { ...token, isLabel: true }
  if (
    token.values?.[0] === 0 ||
    (refusals.has(token.key) && next?.word === 'to' && all[i + 2]?.kind !== 'number')
  )
    return { ...token, isNegator: true }
  const isNameRun =
    isFirst && kind === 'word' && next?.kind === 'name' && next.gap === ' ' && !next.key.includes(':')
  if (isNameRun && token.isCapital && next.isCapital) return { ...token, kind: 'name' }
  if (word === 'one' && !token.units && before?.kind === 'word' && gap === ' ')
    return { ...token, kind: 'function' }
  return token
}

/** Leading zeros, more digits than numbers hold exactly, and numbers of versions and sections. */
const isLabel = ({ word, units }: Token, before: Token | undefined): boolean =>
  /^\d{16,}$/.test(word) ||
  (units === undefined && /^(?=.*[1-9])0\d{2,}$/.test(word)) ||
  (units === undefined && /^\d+\.\d+$/.test(word) && isNumbered.test(before?.word ?? ''))
const isNumbered =
  /^(?:v|version|release|chapter|section|clause|article|paragraph|table|kapitel|abschnitt|artikel|absatz)$/

/** "Refused to speak" means "did not speak". */
const refusals = new Set(['refuse', 'declined', 'fail', 'neglect'].map(keyOf))
const weekdays = new Set(
  `monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
  lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo`.split(
    /\s+/,
  ),
)

function wordAt({ start, end, text }: Piece, isFirst: boolean, before: Piece | undefined): Read {
  const word = text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  const isCapital = /^\p{Lu}/u.test(text)
  const bare = word.replace(/'s?$/, '').replace(/^(?:[dljnsmtc]|qu)'/, '')
  const place = { start, end, word: bare }
  const period = /^(fy|q|h)(\d{1,4})$/.exec(bare)
  if (period && isCapital) return { tokens: periodOf(place, period[1]!, Number(period[2])), used: 1 }
  const month = months.get(bare)
  const isBehindDay = /^(?:\d{1,2}(?:\.|st|nd|rd|th)?|de)$/.test(before?.text ?? '')
  if (month !== undefined && bare !== 'mar' && (isBehindDay || (isCapital && !(isFirst && bare === 'may')))) {
    return { tokens: [{ ...place, key: `month:${month}`, kind: 'name' }], used: 1 }
  }
  const isNot = isNegator(word) || isNegator(bare) || /^n'/.test(word)
  const isCode = (/\d/.test(word) && /\p{L}/u.test(word)) || /[./_]/.test(word) || /\p{Ll}\p{Lu}/u.test(text)
  const isName =
    isCode || weekdays.has(bare) || weekdays.has(bare.replace(/s$/, '')) || (isCapital && !isFirst)
  const kind = isFunctionWord(word) || isFunctionWord(bare) ? 'function' : isName ? 'name' : 'word'
  return { tokens: [{ ...place, key: keyOf(bare), kind, isNegator: isNot }], used: 1 }
}

/** "FY2021" is fiscal 2021, and "Q3" is the third quarter. */
function periodOf(place: Pick<Made, 'start' | 'end' | 'word'>, sign: string, count: number): Made[] {
  const word = { fy: 'fiscal', q: 'quarter', h: 'half' }[sign]!
  const name: Made = { ...place, word, key: keyOf(word), kind: 'word' }
  const year = sign === 'fy' && count < 100 ? 2000 + count : count
  return [{ ...place, key: `${year}`, kind: 'number', values: [year], isOrdinal: sign !== 'fy' }, name]
}
