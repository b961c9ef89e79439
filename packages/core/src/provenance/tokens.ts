/** A text as tokens with their places: words, and quantities whatever way they are written. Pure functions. */
import { digitsAt, numberWordsAt, type Raw } from './numerals.ts'
import { isFunctionWord, isNegator, keyOf } from './words/lookup.ts'
import { months, multipliers, type Unit, unitOf } from './words/numbers.ts'

export interface Token {
  /** In code units of the text. */
  readonly start: number
  readonly end: number
  /** Lower case. */
  readonly word: string
  /** What it is compared by. */
  readonly key: string
  /** `function`: says little by itself. `name`: a name, a code, a day of the week or a month. */
  readonly kind: 'word' | 'name' | 'number' | 'function'
  /** Of a number: what it may be; 1.200 may be 1200. */
  readonly values?: readonly number[] | undefined
  readonly unit?: Unit | undefined
  /** Says which one, and not how many; days of a month say neither. */
  readonly isOrdinal?: boolean | undefined
  readonly isNegator: boolean
  readonly isFirst: boolean
  readonly isCapital: boolean
  /** What stands between the token before and this one. */
  readonly gap: string
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const parts = new RegExp(
  [
    'https?://[^\\s"\'<>()]*[\\p{L}\\d/]|(?<![\\p{L}\\d])\\p{L}[\\p{L}\\d-]*(?:\\.[a-z\\d-]{2,})+', // an address
    '(?<![\\p{L}\\d-])(?=[\\p{Lu}\\d-]*\\d)(?=[\\p{Lu}\\d-]*\\p{Lu})[\\p{Lu}\\d]+(?:-[\\p{Lu}\\d]+)+(?![\\p{L}\\d])', // a code
    '\\d{1,2}:\\d{2}(?![\\d:])', // a time
    '\\d{4}-\\d{2}-\\d{2}(?!\\d)', // a date
    '(?<![\\d-])\\d{1,2}[-–]\\d{1,2}(?![\\d-])', // a score
    "\\d{1,3}(?:[,.'’\\u00a0\\u202f]\\d{3})+(?![\\d.,]\\d)(?!\\d)(?:[.,]\\d+)?",
    '\\d+(?:\\.\\d+){2,}', // a version
    '\\d+(?:[.,]\\d+)?(?![\\p{L}\\p{N}_]*\\p{L})',
    `[${unspaced}]`,
    `(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+(?:['’]\\p{L}+)*`,
    '[€$£%°]',
  ].join('|'),
  'gu',
)
const mostTokens = 4000

/** Tokens of a text, up to a number that no sentence has. */
export function tokensOf(text: string): readonly Token[] {
  const raws: Raw[] = []
  for (const match of text.matchAll(parts)) {
    raws.push({ start: match.index, end: match.index + match[0].length, text: match[0] })
    if (raws.length >= mostTokens) break
  }
  const tokens: Token[] = []
  for (let i = 0; i < raws.length; ) {
    const before = tokens.at(-1)
    const gap = text.slice(before?.end ?? 0, raws[i]!.start)
    const isFirst = before === undefined || /[.!?:;\n•*|"“]\s*$/u.test(gap)
    const made = quantityAt(raws, i, text) ?? wordAt(raws[i]!, isFirst)
    const isCapital = /^\p{Lu}/u.test(raws[i]!.text)
    tokens.push(...made.tokens.map((token) => ({ isNegator: false, isFirst, isCapital, gap, ...token })))
    i += made.used
  }
  return tokens.map((token, i) => {
    const near = [tokens[i - 1], tokens[i + 1], tokens[i + 2]]
    if (token.isOrdinal && near.some((other) => other?.key.startsWith('month:')))
      return { ...token, isOrdinal: false }
    return named(token, tokens[i - 1], tokens[i + 1])
  })
}

/** "Anna Mott" at the begin of a sentence is a name, and "the cheaper one" no number. */
function named(token: Token, before: Token | undefined, next: Token | undefined): Token {
  const { kind, word, gap, isFirst } = token
  const isNameRun =
    isFirst && kind === 'word' && next?.kind === 'name' && next.gap === ' ' && !next.key.includes(':')
  if (isNameRun && token.isCapital) return { ...token, kind: 'name' }
  if (word === 'one' && before?.kind === 'word' && gap === ' ') return { ...token, kind: 'function' }
  return token
}

type Made = Omit<Token, 'gap' | 'isFirst' | 'isCapital' | 'isNegator'> & Partial<Pick<Token, 'isNegator'>>
interface Read {
  readonly tokens: readonly Made[]
  readonly used: number
}

const weekdays = new Set('monday tuesday wednesday thursday friday saturday sunday'.split(' '))

function wordAt({ start, end, text }: Raw, isFirst: boolean): Read {
  const word = text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  const isCapital = /^\p{Lu}/u.test(text)
  const bare = word.replace(/'s$/, '').replace(/^[dljnsmtcq]u?'/, '')
  const month = isCapital ? months.get(bare) : undefined
  const place = { start, end, word: bare }
  const isNot = isNegator(word) || isNegator(bare) || /^n'/.test(word)
  if (month !== undefined && bare !== 'mar') {
    return { tokens: [{ ...place, key: `month:${month}`, kind: 'name' }], used: 1 }
  }
  const isCode = (/\d/.test(word) && /\p{L}/u.test(word)) || /[./]/.test(word)
  const isName =
    isCode || weekdays.has(bare) || weekdays.has(bare.replace(/s$/, '')) || (isCapital && !isFirst)
  const kind = isFunctionWord(word) || isFunctionWord(bare) ? 'function' : isName ? 'name' : 'word'
  return { tokens: [{ ...place, key: keyOf(bare), kind, isNegator: isNot }], used: 1 }
}

/** A number with all that belongs to it: its words, its multiplier, its unit. */
function quantityAt(raws: readonly Raw[], at: number, text: string): Read | undefined {
  const raw = raws[at]!
  const word = raw.text.toLowerCase()
  if (word.includes(':') || /^\d{4}-\d\d-\d\d$/.test(word) || /^\d+[-–]\d+$/.test(word))
    return dated(raws, at)
  let next = at
  let currency: Unit | undefined
  if (isCurrency(word) && raws[at + 1] && /^\d/.test(raws[at + 1]!.text)) {
    currency = unitOf.get(word)
    next++
  }
  const found = digitsAt(raws, next) ?? numberWordsAt(raws, next)
  if (!found) return undefined
  next = found.next
  let { values } = found
  const half = raws[next]?.text.toLowerCase()
  if ((half === 'am' || half === 'pm') && isNear(raws, next, text) && values[0]! <= 12) {
    const read = timeOf({ start: raw.start, end: raws[next]!.end, word }, values[0]!, 0, half)
    return { ...read, used: next + 1 - at }
  }
  const sign =
    /[-−]$/.test(text.slice(0, raw.start)) &&
    !/[\p{L}\p{N}][-−]$/u.test(text.slice(Math.max(0, raw.start - 2), raw.start))
      ? -1
      : 1
  for (; raws[next] && isNear(raws, next, text); next++) {
    const multiplier = multipliers.get(raws[next]!.text.toLowerCase())
    if (multiplier === undefined) break
    values = values.map((value) => value * multiplier)
  }
  // "Half an hour", "a quarter of a litre".
  let unitPlace = next
  if (found.isFraction) {
    while (/^(?:a|an|of|the)$/i.test(raws[unitPlace]?.text ?? '')) unitPlace++
  }
  const unitWord = raws[unitPlace] && isNear(raws, unitPlace, text) ? raws[unitPlace]!.text.toLowerCase() : ''
  const unit = currency ?? (found.isOrdinal ? undefined : unitOf.get(unitWord))
  if (!currency && unit) next = unitPlace + 1
  if (found.isFraction && !unit) {
    if (word === 'quarter') return undefined
  }
  const minus = sign < 0 || raws[at - 1]?.text.toLowerCase() === 'minus'
  values = values.map((value) => (minus ? -value : value))
  const end = raws[next - 1]!.end
  const key = `${values[0]}`
  return {
    tokens: [{ start: raw.start, end, word, key, kind: 'number', values, unit, isOrdinal: found.isOrdinal }],
    used: next - at,
  }
}

const isCurrency = (word: string) => /^(?:[€$£]|eur|usd|gbp)$/.test(word)

/** Nothing but a space or a hyphen between. */
const isNear = (raws: readonly Raw[], at: number, text: string) =>
  /^[\s\u00a0-]{0,2}$/.test(text.slice(raws[at - 1]!.end, raws[at]!.start))

/** A date as year, month and day; a time as minutes of the day; a score as it is. */
function dated(raws: readonly Raw[], at: number): Read {
  const { start, end, text } = raws[at]!
  const place = { start, end, word: text }
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (date) {
    const number = (value: number): Made => ({ ...place, key: `${value}`, kind: 'number', values: [value] })
    const month: Made = { ...place, key: `month:${Number(date[2])}`, kind: 'name' }
    return { tokens: [number(Number(date[1])), month, number(Number(date[3]))], used: 1 }
  }
  const [hours, minutes] = text.split(/[:–-]/).map(Number) as [number, number]
  if (!text.includes(':'))
    return { tokens: [{ ...place, key: `score:${hours}-${minutes}`, kind: 'name' }], used: 1 }
  const half = raws[at + 1]?.text.toLowerCase()
  return timeOf(place, hours, minutes, half === 'am' || half === 'pm' ? half : undefined)
}

function timeOf(
  place: Pick<Made, 'start' | 'end' | 'word'>,
  hours: number,
  minutes: number,
  half?: string,
): Read {
  const total = ((hours % 12 === 0 && half ? 0 : hours) + (half === 'pm' ? 12 : 0)) * 60 + minutes
  return { tokens: [{ ...place, key: `time:${total}`, kind: 'name' }], used: half ? 2 : 1 }
}
