/**
 * Lenient verifier: the answer CONTAINS the reference, after normalisation, as whole words or numbers ("12" is not in
 * "1234"). One direction only: an answer that is a part of the reference does not count, and an empty one never does.
 */
import { normalizeAnswer } from './normalize.ts'

/** `any`: one reference suffices; `all`: every one is wanted. */
export type Match = 'any' | 'all'

export function containsReference(answer: string, reference: string): boolean {
  const text = normalizeAnswer(answer)
  const wanted = normalizeAnswer(reference)
  if (wanted === '') {
    return false
  }
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (!joins(text[at - 1], text[at]) && !joins(text[end - 1], text[end])) {
      return true
    }
  }
  return false
}

/** @returns 0..1. `any`: 1 if a reference is in the answer; `all`: the share of references in it (RULER's string match). */
export function lenientScore(answer: string, references: readonly string[], match: Match): number {
  const found = references.filter((reference) => containsReference(answer, reference)).length
  return match === 'any' ? Math.min(1, found) : references.length === 0 ? 0 : found / references.length
}

/** Two characters that belong to one word or number. */
const joins = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && /[\p{L}\p{N}]/u.test(left) && /[\p{L}\p{N}]/u.test(right)
