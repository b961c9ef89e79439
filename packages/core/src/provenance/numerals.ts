/** Numbers in digits and in words. */
import { fractions, ordinalNumbers, smallNumbers } from './words/numbers.ts'

/** A piece of a text that may be a number, a word or a sign. */
export interface Raw {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface Numeral {
  readonly values: readonly number[]
  readonly next: number
  readonly isFraction?: boolean
  readonly isOrdinal?: boolean
}

export function digitsAt(raws: readonly Raw[], at: number): Numeral | undefined {
  const text = raws[at]?.text ?? ''
  const ordinal = /^(\d+)(?:st|nd|rd|th)$/i.exec(text)
  if (ordinal) return { values: [Number(ordinal[1])], next: at + 1, isOrdinal: true }
  if (!/^\d/.test(text) || /\p{L}/u.test(text) || isVersion(text)) return undefined
  return { values: readDigits(text), next: at + 1 }
}

const isVersion = (text: string) => /^\d+(?:\.\d+){2,}$/.test(text) && !/^\d{1,3}(?:\.\d{3})+$/.test(text)

/** What digits with separators may mean. */
function readDigits(text: string): number[] {
  const bare = text.replace(/['’\u00a0\u202f]/g, '')
  if (/^\d+$/.test(bare)) return [Number(bare)]
  const values = new Set<number>()
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)) values.add(Number(bare.replaceAll(',', '')))
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(bare))
    values.add(Number(bare.replaceAll('.', '').replace(',', '.')))
  if (/^\d+\.\d+$/.test(bare)) values.add(Number(bare))
  if (/^\d+,\d+$/.test(bare) && values.size === 0) values.add(Number(bare.replace(',', '.')))
  return values.size > 0 ? [...values] : [Number(bare.replace(/[,.]/g, ''))]
}

/** "Twelve hundred", "one thousand two hundred and five", "twenty-one", "ninth". */
export function numberWordsAt(raws: readonly Raw[], at: number): Numeral | undefined {
  const first = raws[at]!.text.toLowerCase()
  const fraction = fractions.get(first)
  if (fraction !== undefined) return { values: [fraction], next: at + 1, isFraction: true }
  const alone = ordinalNumbers.get(first)
  if (alone !== undefined) return { values: [alone], next: at + 1, isOrdinal: true }
  if (!smallNumbers.has(first) && !/^(?:hundred|thousand|dozen)$/.test(first)) return undefined
  let [total, group, next] = [0, 0, at]
  for (let last = Number.POSITIVE_INFINITY; next < raws.length && next - at < 12; ) {
    const word = raws[next]!.text.toLowerCase()
    const small = smallNumbers.get(word)
    const ordinal = ordinalNumbers.get(word)
    if (
      small !== undefined &&
      (last === Number.POSITIVE_INFINITY || last >= 100 || (last >= 20 && small < 10))
    ) {
      group += small
      last = small
      next++
    } else if (ordinal !== undefined && ordinal < 10 && last >= 20 && last < 100) {
      return { values: [total + group + ordinal], next: next + 1, isOrdinal: true }
    } else if (word === 'hundred' || word === 'dozen') {
      group = Math.max(1, group) * (word === 'dozen' ? 12 : 100)
      last = 100
      next++
    } else if (word === 'thousand') {
      total += Math.max(1, group) * 1000
      group = 0
      last = 1000
      next++
    } else if (word === 'and' && last >= 100 && smallNumbers.has(raws[next + 1]?.text.toLowerCase() ?? ''))
      next++
    else break
  }
  return { values: [total + group], next }
}
