/**
 * Precision, recall and F1 of a list: right items over all items of the answer, and over all wanted items. The answer is
 * split into parts as in the strict verifier (commas, semicolons, lines, `and`); a part is right if it contains a reference
 * as whole words, as "It was Anna Mott" does.
 */
import { containsReference } from './lenient.ts'
import { normalizeAnswer } from './normalize.ts'
import { partsOfList } from './strict.ts'

export interface ItemScores {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** @returns each 0..1; all 0 for an empty answer or without references. Repetitions count once, whatever words surround them. */
export function scoreItems(answer: string, references: readonly string[]): ItemScores {
  const parts = partsOfList(answer, new Set(references.map(normalizeAnswer)))
  const found = new Set<string>()
  let listed = 0
  let right = 0
  for (const part of parts) {
    const held = references.filter((reference) => containsReference(part, reference))
    const fresh = held.filter((reference) => !found.has(reference))
    if (held.length > 0 && fresh.length === 0) continue
    for (const reference of fresh) found.add(reference)
    listed += Math.max(1, fresh.length)
    right += fresh.length
  }
  if (right === 0) {
    return { precision: 0, recall: 0, f1: 0 }
  }
  const precision = right / listed
  const recall = found.size / references.length
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) }
}
