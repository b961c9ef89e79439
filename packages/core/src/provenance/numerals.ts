/** Numbers in digits and in words. */
import type { Piece } from './pieces.ts'
import { fractions, ordinalNumbers, smallNumbers } from './words/numbers.ts'

export interface Numeral {
  /** Possible values: 1.200 may be 1200. */
  readonly values: readonly number[]
  readonly next: number
  readonly isFraction?: boolean
  readonly isOrdinal?: boolean
}

export function digitsAt(pieces: readonly Piece[], at: number): Numeral | undefined {
  const text = pieces[at]?.text ?? ''
  const ordinal = /^(\d+)(?:st|nd|rd|th)$/i.exec(text)
  if (ordinal) return { values: [Number(ordinal[1])], next: at + 1, isOrdinal: true }
  const mixed = mixedNumber(text)
  if (mixed !== undefined) return { values: [mixed], next: at + 1 }
  if (!/^\d/.test(text) || /\p{L}/u.test(text) || isVersion(text)) return undefined
  return { values: readDigits(text), next: at + 1 }
}

/** "3½", "3 1/2". */
function mixedNumber(text: string): number | undefined {
  const plain = text.replace(/[¼-¾⅐-⅞]/u, (sign) => ` ${sign.normalize('NFKC')}`).trim()
  const [, whole = 0, above, below] = /^(?:(\d+)[ \u00a0-]+)?(\d+)[/⁄](\d+)$/.exec(plain) ?? []
  return below === undefined ? undefined : Number(whole) + Number(above) / Number(below)
}

const isVersion = (text: string) => /^\d+(?:\.\d+){2,}$/.test(text) && !/^\d{1,3}(?:\.\d{3})+$/.test(text)

/** Possible values of digits with separators. */
function readDigits(text: string): number[] {
  const bare = text.replace(/['’ \u00a0\u202f]/g, '')
  if (/^\d+$/.test(bare)) return [Number(bare)]
  const values = new Set<number>()
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)) values.add(Number(bare.replaceAll(',', '')))
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(bare))
    values.add(Number(bare.replaceAll('.', '').replace(',', '.')))
  if (/^\d+\.\d+$/.test(bare)) values.add(Number(bare))
  if (/^\d+,\d+$/.test(bare) && values.size === 0) values.add(Number(bare.replace(',', '.')))
  return values.size > 0 ? [...values] : [Number(bare.replace(/[,.]/g, ''))]
}

const mostWords = 14

/** "Twelve hundred", "one thousand two hundred and five", "seventy and five", "two thirds", "ninth". */
export function numberWordsAt(pieces: readonly Piece[], at: number): Numeral | undefined {
  const word = (i: number) => pieces[i]?.text.toLowerCase() ?? ''
  const fraction = fractions.get(word(at))
  if (fraction !== undefined) return { values: [fraction], next: at + 1, isFraction: true }
  const alone = ordinalNumbers.get(word(at))
  if (alone !== undefined) return { values: [alone], next: at + 1, isOrdinal: true }
  // The French seven, not the month.
  if (word(at) === 'sept' && /^\d{1,2}$/.test(word(at - 1))) return undefined
  if (!smallNumbers.has(word(at)) && !/^(?:hundred|thousand|dozen)$/.test(word(at))) return undefined
  const part = partOf(smallNumbers.get(word(at)), word(at + 1))
  if (part !== undefined) return { values: [part], next: at + 2, isFraction: true }
  let [total, group, next] = [0, 0, at]
  for (let last = Number.POSITIVE_INFINITY; next < pieces.length && next - at < mostWords; ) {
    const [small, ordinal] = [smallNumbers.get(word(next)), ordinalNumbers.get(word(next))]
    const isFree = last === Number.POSITIVE_INFINITY || last >= 100
    if (small !== undefined && (isFree || (last >= 20 && last % 10 === 0 && small < 10))) {
      group += small
      last = small
      next++
    } else if (ordinal !== undefined && ordinal < 10 && last >= 20 && last < 100) {
      return { values: [total + group + ordinal], next: next + 1, isOrdinal: true }
    } else if (word(next) === 'hundred' || word(next) === 'dozen') {
      group = Math.max(1, group) * (word(next) === 'dozen' ? 12 : 100)
      last = 100
      next++
    } else if (word(next) === 'thousand') {
      total += Math.max(1, group) * 1000
      group = 0
      last = 1000
      next++
    } else if (word(next) === 'and') {
      const behind = smallNumbers.get(word(next + 1))
      if (behind === undefined) break
      if (last < 100 && !(last >= 20 && behind < 10) && !(last < 10 && behind >= 20)) break
      next++
      if (last < 100) {
        group += behind
        last = behind
        next++
      }
    } else break
  }
  return { values: [total + group], next }
}

/** "Three fourths", "one seventh". */
function partOf(count: number | undefined, name: string): number | undefined {
  if (count === undefined || count > 12) return undefined
  const whole = /^(?:quarters?|halves|half)$/.test(name)
    ? name.startsWith('q')
      ? 4
      : 2
    : ordinalNumbers.get(count === 1 ? name : name.replace(/s$/, ''))
  if (whole === undefined || whole < 2 || (count > 1 && !/s$/.test(name)) || whole > 20) return undefined
  return count / whole
}
