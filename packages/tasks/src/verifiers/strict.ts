/**
 * Strict verifier: the answer IS the reference, after normalisation (see `normalizeAnswer`). Nothing else in the answer is
 * forgiven: "It is 4711" does not equal "4711".
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
 * the share of references in it, over the larger of the numbers of references and of listed parts, so that guesses cost.
 */
export function strictScore(answer: string, references: readonly string[], match: Match): number {
  if (match === 'any' || references.length <= 1) {
    return references.some((reference) => equalsReference(answer, reference)) ? 1 : 0
  }
  const parts = new Set(
    answer
      .split(/[,;\n]|\band\b/i)
      .map(normalizeAnswer)
      .filter((part) => part !== ''),
  )
  const wanted = new Set(references.map(normalizeAnswer))
  const right = [...wanted].filter((reference) => parts.has(reference)).length
  return right / Math.max(wanted.size, parts.size)
}
