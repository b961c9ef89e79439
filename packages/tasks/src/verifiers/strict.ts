/**
 * Strict verifier: the answer IS the reference, after normalization (see `normalizeAnswer`). The answer may contain nothing
 * else: "It is 4711" does not equal "4711".
 */

import type { Match } from './lenient.ts'
import { normalizeAnswer } from './normalize.ts'

/** False for an empty reference. */
export function equalsReference(answer: string, reference: string): boolean {
  const normal = normalizeAnswer(reference)
  return normal !== '' && normalizeAnswer(answer) === normal
}

/**
 * @returns 0..1. `any`: 1 if the answer equals a reference. `all`: the answer is a list (commas, semicolons, lines, `and`, `&`);
 * the share of references in it, over the larger of the numbers of references and of listed parts, so guesses cost.
 */
export function strictScore(answer: string, references: readonly string[], match: Match): number {
  if (match === 'any' || references.length <= 1) {
    return references.some((reference) => equalsReference(answer, reference)) ? 1 : 0
  }
  const wanted = new Set(references.map(normalizeAnswer))
  const parts = partsOfList(answer, wanted)
  const right = [...wanted].filter((reference) => reference !== '' && parts.has(reference)).length
  return right / Math.max(wanted.size, parts.size)
}

/** Separators between the parts of a list. */
const separators = /[,;\n]|\band\b|\s&\s/gi

/** `-` at the start of a line; `1.`, `2)` and `(3)` there, and at the start of a part. */
const bullets = /^[ \t]*[-–•*][ \t]+/gm
const number = String.raw`[ \t]*(?:\((\d{1,3})\)|(\d{1,3})[.)])[ \t]+`
const numbersOfLines = new RegExp(`(^)${number}`, 'gm')
const numbersOfParts = new RegExp(`(^|${separators.source})${number}`, 'gi')

/** Numbers are list marks if they count from 1 and no reference contains them: "12. May" is a date. */
function withoutMarks(answer: string, wanted: ReadonlySet<string>): string {
  const plain = answer.replace(bullets, '').trim()
  if (plain.split('\n').some((line) => wanted.has(normalizeAnswer(line)))) return plain
  const parts = splitList(plain, wanted).map(normalizeAnswer)
  if (parts.some((part) => wanted.has(part) && /^\d{1,3}[.)] /.test(part))) return plain
  // A number inside a line is a mark only if the first part has one.
  const isNumbered = plain.search(numbersOfParts) === 0
  const counted = [...(isNumbered ? [numbersOfParts] : []), numbersOfLines].find((numbers) =>
    countsFromOne(plain, numbers),
  )
  return counted ? plain.replace(counted, '$1 ') : plain
}

/** Whether these numbers are 1, 2, 3 and so on. */
function countsFromOne(text: string, numbers: RegExp): boolean {
  const found = [...text.matchAll(numbers)].map(([, , ...digits]) => Number(digits[0] ?? digits[1]))
  return found.length > 0 && found.every((one, i) => one === i + 1)
}

/** Distinct normalized parts of a list, without marks. A reference with a separator ("Fox and Ladder", "1,250") is one part. */
export function partsOfList(list: string, wanted: ReadonlySet<string>): Set<string> {
  const parts = new Set(splitList(withoutMarks(list, wanted), wanted).map(normalizeAnswer))
  parts.delete('')
  return parts
}

function splitList(list: string, wanted: ReadonlySet<string>): string[] {
  const pieces: { readonly start: number; readonly end: number }[] = []
  let start = 0
  for (const separator of list.matchAll(separators)) {
    pieces.push({ start, end: separator.index })
    start = separator.index + separator[0].length
  }
  pieces.push({ start, end: list.length })
  const mostPieces = Math.max(1, ...[...wanted].map((reference) => reference.split(separators).length))
  const parts: string[] = []
  for (let i = 0; i < pieces.length; i += 1) {
    let taken = 1
    for (let count = Math.min(mostPieces, pieces.length - i); count > 1 && taken === 1; count -= 1) {
      const whole = normalizeAnswer(list.slice(pieces[i]!.start, pieces[i + count - 1]!.end))
      taken = wanted.has(whole) ? count : 1
    }
    parts.push(list.slice(pieces[i]!.start, pieces[i + taken - 1]!.end))
    i += taken - 1
  }
  return parts
}
