/**
 * Precision, recall and F1 of a list: what is in the answer and should be, over what is in it, and over what should be. The
 * answer is split as the strict verifier splits lists (commas, semicolons, lines, `and`), without the marks of its lines, and
 * a part is right when it holds a reference as whole words: "It was Anna Mott" is.
 */
import { containsReference } from './lenient.ts'
import { normalizeAnswer } from './normalize.ts'
import { partsOfList } from './strict.ts'

export interface ItemScores {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** At the start of a line: `1.`, `2)`, `-`. */
const listMarks = /^[ \t]*(?:\d{1,3}[.)]|[-–•*])[ \t]+/gm

/** @returns each 0..1; all 0 for an empty answer, and without references. Parts that are said twice count once. */
export function scoreItems(answer: string, references: readonly string[]): ItemScores {
  const parts = partsOfList(answer.replace(listMarks, ''), new Set(references.map(normalizeAnswer)))
  const found = new Set<string>()
  let listed = 0
  let right = 0
  for (const part of parts) {
    const held = references.filter((reference) => containsReference(part, reference))
    held.forEach((reference) => {
      found.add(reference)
    })
    listed += Math.max(1, held.length)
    right += held.length
  }
  if (right === 0) {
    return { precision: 0, recall: 0, f1: 0 }
  }
  const precision = right / listed
  const recall = found.size / references.length
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) }
}
