/**
 * Lenient verifier: the answer CONTAINS the reference, after normalization, as whole words or numbers ("12" is not in "1234",
 * "3.12", ".12", "-12" or "12:30", "four" is not in "twenty-four"); in languages written without spaces, anywhere. One
 * direction only: an answer that is part of the reference does not count, and an empty one never does.
 */
import { normalizeAnswer } from './normalize.ts'

/** `any`: one reference is enough; `all`: every one is wanted. */
export type Match = 'any' | 'all'

export function containsReference(answer: string, reference: string): boolean {
  const searched = /^\s*[\p{Pd}\u2212]/u.test(reference)
    ? searchedAsItIs(answer)
    : searchedWithDashesApart(answer)
  const { text } = searched
  const wanted = wantedOf(reference)
  if (wanted === '') {
    return false
  }
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (isInside(text, at) || isInside(text, end)) continue
    searched.inNumbers ??= placesInNumbers(text)
    if (!searched.inNumbers[at] && !searched.inNumbers[end]) return true
  }
  return false
}

/** @returns 0..1. `any`: 1 if the answer contains a reference; `all`: the share it contains (RULER's string match). */
export function lenientScore(answer: string, references: readonly string[], match: Match): number {
  const found = references.filter((reference) => containsReference(answer, reference)).length
  return match === 'any' ? Math.min(1, found) : references.length === 0 ? 0 : found / references.length
}

interface Searched {
  readonly text: string
  /** Once it is needed. */
  inNumbers?: Uint8Array
}

/** Results for so many characters of texts are kept. */
const keptCharacters = 2 ** 20

/** Keeps results: several references are looked for in one text, and names are compared with many others. */
function keeping<Result>(resultOf: (text: string) => Result): typeof resultOf {
  const known = new Map<string, Result>()
  let characters = 0
  return (text) => {
    let result = known.get(text)
    if (result === undefined) {
      characters += text.length
      if (characters > keptCharacters) {
        known.clear()
        characters = text.length
      }
      result = resultOf(text)
      known.set(text, result)
    }
    return result
  }
}

const wantedOf = keeping((reference) => normalizeAnswer(withNumbersApart(reference)))
const searchedAsItIs = keeping((answer): Searched => ({ text: wantedOf(answer) }))
const searchedWithDashesApart = keeping(
  (answer): Searched => ({ text: normalizeAnswer(withNumbersApart(withDashesApart(answer))) }),
)

/** A dash before a number or a list hyphen is not a minus sign, but normalization makes them all alike. */
function withDashesApart(answer: string): string {
  const isList = (answer.match(/^[ \t]*-/gm)?.length ?? 0) > 1
  const text = isList ? answer.replace(/^([ \t]*-)(?=\d)/gm, '$1 ') : answer
  return text.replace(/(?<![\p{L}\p{N}])[\u2012-\u2015](?=\d)/gu, '$& ')
}

const wordCharacter = /[\p{L}\p{N}]/u
/** Scripts without spaces between words, in which a word may begin and end anywhere. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

/** Whether the characters on both sides of a position belong to the same word. */
function isInside(text: string, at: number): boolean {
  const [before, behind] = [text[at - 1], text[at]]
  if (before === undefined || behind === undefined) return false
  if (!wordCharacter.test(before) || !wordCharacter.test(behind)) return false
  return !unspaced.test(before) && !unspaced.test(behind)
}

const anyOf = (words: string) => `(?:${words.replaceAll(' ', '|')})`
const scale = anyOf('hundred thousand million billion trillion')
const tens = anyOf('twenty thirty forty fifty sixty seventy eighty ninety')
const unit = anyOf('one two three four five six seven eight nine')
const numeral = anyOf(
  `zero ${unit} ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen ${tens} ${scale}`,
)
/** `twenty-four`, `twenty four`, `two hundred and four`; "two and four" are two numbers, and "two hundred and three hundred". */
const joint = `(?:-(?:and-)?|(?<=${tens}) (?=${unit}(?!\\p{L}))| (?=${scale}(?!\\p{L}))|(?<=${scale}) (?:and (?!${numeral} ${scale}))?)`
const inWords = `(?<!\\p{L})${numeral}(?:${joint}${numeral})*(?!\\p{L})`

/** A minus sign, and the point of `.5`. */
const first = '(?:(?<![\\p{L}\\p{N}])-)?(?:(?<![\\p{L}\\p{N}.])\\.)?'
/** A comma without a space separates values, unless three digits follow, or what is before it shows that it is a decimal comma. */
const inDigits = [
  '(?<!\\d ?|[.,/])(?:\\d+ )?\\d{1,3}/\\d{1,3}(?![\\d/])',
  '(?<!\\d ?|[.,#]|\\p{L}-?)\\d{1,3}(?: \\d{3})+(?! ?\\d)(?:[.,]\\d+)?',
  '(?<![\\d.,])(?:0|\\d{1,3}(?:\\.\\d{3})+),\\d+(?!,?\\d)',
  "\\d+(?:[.:]\\d+|[,']\\d{3}(?!\\d))*",
].join('|')
const last = `(?:e[+-]?\\d+|\\^-?\\d+| ${scale}(?!\\p{L}))?`

/** `1,250`, `1'250`, `1 250`, `1.250,50`, `0,75`, `3.1.5`, `10:30`, `3 1/2`, `-.5`, `10^6`, `2.5 million`, and numbers in words. */
const numbers = new RegExp(`${first}(?:${inDigits})${last}|${inWords}`, 'gu')

/** Numbers on lines of their own are several: normalization makes a space of the line break, which may stand within a number. */
const betweenLines = new RegExp(`(?<=\\d|${numeral})[^\\S\\n]*\\n\\s*(?=\\d|${numeral})`, 'giu')
const withNumbersApart = (answer: string): string => answer.replace(betweenLines, ' ; ')

/** For each position of a text, 1 if it is within a number. */
function placesInNumbers(text: string): Uint8Array {
  const places = new Uint8Array(text.length + 1)
  for (const { index, 0: number } of text.matchAll(numbers)) places.fill(1, index + 1, index + number.length)
  return places
}
