/** Dates and times of day in a text. */
import type { Piece } from './pieces.ts'
import type { Made, Read } from './token.ts'

const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?/
/** Only if "am" or "pm" follows. */
const clockWithDot = /^(\d{1,2})\.(\d{2})$/

/** Undefined if there is neither a date nor a time. */
export function timeAt(pieces: readonly Piece[], at: number): Read | undefined {
  const piece = pieces[at]!
  return (
    isoDate(piece) ??
    germanDate(piece) ??
    slashDate(piece) ??
    clockTime(pieces, at) ??
    spokenTime(pieces, at) ??
    hourWithHalf(pieces, at)
  )
}

const placeOf = ({ start, end, text }: Piece) => ({ start, end, word: text.toLowerCase() })

/** Keys of one minute have the same prefix, so a time without seconds matches one with seconds. */
function timeToken(
  place: ReturnType<typeof placeOf>,
  hours: number,
  minutes: number,
  seconds?: number,
): Made {
  const minute = `time:${hours * 60 + minutes}`
  return { ...place, key: seconds === undefined ? minute : `${minute}:${seconds}`, kind: 'name' }
}

export function dateTokens(
  place: ReturnType<typeof placeOf>,
  day?: number,
  month?: number,
  year?: number,
): Made[] {
  const number = (value: number): Made => ({ ...place, key: `${value}`, kind: 'number', values: [value] })
  return [
    ...(year === undefined ? [] : [number(year)]),
    ...(month === undefined ? [] : [{ ...place, key: `month:${month}`, kind: 'name' } as const]),
    ...(day === undefined ? [] : [number(day)]),
  ]
}

function isoDate(piece: Piece): Read | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/.exec(piece.text)
  if (!match) return undefined
  const [, year, month, day, hours, minutes, seconds] = match.map(Number)
  if (month! < 1 || month! > 12 || day! < 1 || day! > 31) return undefined
  const place = placeOf(piece)
  const time = match[4] ? [timeToken(place, hours!, minutes!, match[6] ? seconds : undefined)] : []
  return { tokens: [...dateTokens(place, day, month, year), ...time], used: 1 }
}

function germanDate(piece: Piece): Read | undefined {
  const match = /^(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?$/.exec(piece.text)
  if (!match) return undefined
  const [day, month] = [Number(match[1]), Number(match[2])]
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
  return { tokens: dateTokens(placeOf(piece), day, month, match[3] ? Number(match[3]) : undefined), used: 1 }
}

/** "22/03/2024" and "03/22/2024"; if both may be the month, the day comes first. */
function slashDate(piece: Piece): Read | undefined {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(piece.text)
  if (!match) return undefined
  const [one, other, year] = match.slice(1).map(Number) as [number, number, number]
  const [day, month] = other > 12 ? [other, one] : [one, other]
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
  return { tokens: dateTokens(placeOf(piece), day, month, year), used: 1 }
}

const halfOf = (piece: Piece | undefined): 'am' | 'pm' | undefined => {
  const word = piece?.text.toLowerCase()
  return word === 'am' || word === 'a.m' ? 'am' : word === 'pm' || word === 'p.m' ? 'pm' : undefined
}

const hoursOf = (hours: number, half: 'am' | 'pm' | undefined): number =>
  half === undefined ? hours : (hours % 12) + (half === 'pm' ? 12 : 0)

function clockTime(pieces: readonly Piece[], at: number): Read | undefined {
  const half = halfOf(pieces[at + 1])
  const match = clock.exec(pieces[at]!.text) ?? (half && clockWithDot.exec(pieces[at]!.text))
  if (!match) return undefined
  const seconds = match[3] === undefined ? undefined : Number(match[3])
  const token = timeToken(placeOf(pieces[at]!), hoursOf(Number(match[1]), half), Number(match[2]), seconds)
  return { tokens: [token], used: half ? 2 : 1 }
}

/** "6 pm", "9 o'clock". */
function hourWithHalf(pieces: readonly Piece[], at: number): Read | undefined {
  const { text, start } = pieces[at]!
  if (!/^\d{1,2}$/.test(text) || Number(text) > 12) return undefined
  const next = pieces[at + 1]
  const half = halfOf(next)
  if (half === undefined && next?.text.toLowerCase() !== "o'clock") return undefined
  const end = half ? next!.end : pieces[at]!.end
  return { tokens: [timeToken({ start, end, word: text }, hoursOf(Number(text), half), 0)], used: 2 }
}

const hourWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** "Half past two" may be at night or in the afternoon: the key is that of the morning, and `compare` allows both. */
function spokenTime(pieces: readonly Piece[], at: number): Read | undefined {
  const [first, past, hour] = [0, 1, 2].map((i) => pieces[at + i]?.text.toLowerCase())
  const minutes = first === 'half' ? 30 : first === 'quarter' ? 15 : undefined
  if (minutes === undefined || hour === undefined || (past !== 'past' && past !== 'to')) return undefined
  const hours = /^\d{1,2}$/.test(hour) ? Number(hour) : hourWords.indexOf(hour) + 1
  if (hours < 1 || hours > 12) return undefined
  const total = hours * 60 + (past === 'past' ? minutes : -minutes)
  const place = { start: pieces[at]!.start, end: pieces[at + 2]!.end, word: first! }
  return { tokens: [{ ...place, key: `half-day:${total % 720}`, kind: 'name' }], used: 3 }
}
