/**
 * Lenient verifier: the answer CONTAINS the reference, after normalization, as whole words or numbers ("12" is not in "1234",
 * "3.12", ".12", "-12" or "12:30", "four" is not in "twenty-four"); in languages written without spaces, anywhere. One
 * direction only: an answer that is part of the reference does not count, and an empty one never does.
 */
import { normalizeAnswer } from './normalize.ts'

/** `any`: one reference is enough; `all`: every one is wanted. */
export type Match = 'any' | 'all'

export function containsReference(answer: string, reference: string): boolean {
  const text = normalizeAnswer(withDashesApart(answer, reference))
  const wanted = normalizeAnswer(reference)
  if (wanted === '') {
    return false
  }
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (!isInside(text, at) && !isInside(text, end) && !isInNumeral(text, at, wanted)) {
      return true
    }
  }
  return false
}

/** @returns 0..1. `any`: 1 if the answer contains a reference; `all`: the share it contains (RULER's string match). */
export function lenientScore(answer: string, references: readonly string[], match: Match): number {
  const found = references.filter((reference) => containsReference(answer, reference)).length
  return match === 'any' ? Math.min(1, found) : references.length === 0 ? 0 : found / references.length
}

/** A dash before a number or a list hyphen is not a minus sign, but normalization makes them all alike. */
function withDashesApart(answer: string, reference: string): string {
  if (/^\s*[\p{Pd}\u2212]/u.test(reference)) return answer
  const isList = (answer.match(/^[ \t]*-/gm)?.length ?? 0) > 1
  const text = isList ? answer.replace(/^([ \t]*-)(?=\d)/gm, '$1 ') : answer
  return text.replace(/(?<![\p{L}\p{N}])[\u2012-\u2015](?=\d)/gu, '$& ')
}

const wordCharacter = /[\p{L}\p{N}]/u
/** `3.1.5`, `10:30`, `1,250` and `1'250` are one number; otherwise a comma without a space separates values. */
const numberGoesOn = /^(?:[.:]\d|[,']\d{3}(?!\d))/
/** A minus sign, or the point of `.5`. */
const isFirstOfNumber = /(?<![\p{L}\p{N}])-$|(?<![\p{L}\p{N}.])\.$/u
/** Scripts without spaces between words, in which a word may begin and end anywhere. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

/** Whether the characters on both sides of a position belong to the same word or number. */
function isInside(text: string, at: number): boolean {
  const [before, behind] = [text[at - 1], text[at]]
  if (before === undefined || behind === undefined) return false
  if (wordCharacter.test(behind)) {
    if (wordCharacter.test(before)) return !unspaced.test(before) && !unspaced.test(behind)
    return (
      (isFirstOfNumber.test(text.slice(Math.max(0, at - 2), at)) && isDigit(behind)) ||
      (isDigit(text[at - 2]) && numberGoesOn.test(text.slice(at - 1, at + 4)))
    )
  }
  return isDigit(before) && numberGoesOn.test(text.slice(at, at + 5))
}

const numerals =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million'
const numeral = `(?:${numerals.replaceAll(' ', '|')})`
const isNumeral = new RegExp(`^${numeral}(?:-(?:and-)?${numeral})*$`)
const numeralBefore = new RegExp(`(?<!\\p{L})${numeral}-(?:and-)?$`, 'u')
const numeralBehind = new RegExp(`^-(?:and-)?${numeral}(?!\\p{L})`, 'u')

/** Whether a number in words is part of a longer one: "four" of "twenty-four", not of "four-day". */
function isInNumeral(text: string, at: number, wanted: string): boolean {
  if (!isNumeral.test(wanted)) return false
  const longest = 'seventeen-and-'.length
  return (
    numeralBefore.test(text.slice(Math.max(0, at - longest - 1), at)) ||
    numeralBehind.test(text.slice(at + wanted.length, at + wanted.length + longest + 1))
  )
}

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character)
