/**
 * Strict verifier: the answer IS the reference, after normalization (see `normalizeAnswer`). Nothing else in the answer is
 * allowed: "It is 4711" does not equal "4711".
 */

import type { Match } from './lenient.ts'
import { normalizeAnswer } from './normalize.ts'

/** 1 when the answer equals one reference; false for an empty one. */
export function equalsReference(answer: string, reference: string): boolean {
  const normal = normalizeAnswer(reference)
  return normal !== '' && normalizeAnswer(answer) === normal
}

/**
 * @returns 0..1. `any`: 1 if the answer equals a reference. `all`: the answer is a list (commas, semicolons, lines, `and`);
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

/** At the start of a line: `-`, and `1.` or `2)`. */
const [bullets, numbering] = [/^[ \t]*[-–•*][ \t]+/gm, /^[ \t]*(\d{1,3})[.)][ \t]+/gm]

/** Numbers are marks where they count from 1, and no reference has them: "12. May" is a date. */
function withoutMarks(answer: string, wanted: ReadonlySet<string>): string {
  const plain = answer.replace(bullets, '')
  if (plain.split('\n').some((line) => wanted.has(normalizeAnswer(line)))) return plain
  const numbers = [...plain.matchAll(numbering)].map(([, number]) => Number(number))
  const isCounted = numbers.every((number, i) => number === i + 1)
  return isCounted ? plain.replace(numbering, '') : plain
}

/** The different parts of a list, without the marks of its lines, normalized. A reference with a separator in it ("Fox and Ladder", "1,250") is one part. */
export function partsOfList(list: string, wanted: ReadonlySet<string>): Set<string> {
  const answer = withoutMarks(list, wanted)
  const pieces: { readonly start: number; readonly end: number }[] = []
  let start = 0
  for (const separator of answer.matchAll(/[,;\n]|\band\b/gi)) {
    pieces.push({ start, end: separator.index })
    start = separator.index + separator[0].length
  }
  pieces.push({ start, end: answer.length })
  const mostPieces = Math.max(1, ...[...wanted].map((reference) => reference.split(/[,;\n]|\band\b/).length))
  const parts = new Set<string>()
  for (let i = 0; i < pieces.length; i += 1) {
    let taken = 1
    for (let count = Math.min(mostPieces, pieces.length - i); count > 1 && taken === 1; count -= 1) {
      const whole = normalizeAnswer(answer.slice(pieces[i]!.start, pieces[i + count - 1]!.end))
      taken = wanted.has(whole) ? count : 1
    }
    parts.add(normalizeAnswer(answer.slice(pieces[i]!.start, pieces[i + taken - 1]!.end)))
    i += taken - 1
  }
  parts.delete('')
  return parts
}
