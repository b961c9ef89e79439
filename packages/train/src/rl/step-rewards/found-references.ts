import { containsReference, isOfNotes, type Sample } from '@memagent/tasks'

/**
 * How much of the answer the texts hold together, from 0 to 1: the share of the references found, or 1 for any if they are
 * spellings of one answer. The letter of a choice is never found. 0 without references.
 */
export function foundReferences(
  { id, references: all, match }: Pick<Sample, 'id' | 'references' | 'match'>,
  ...texts: readonly string[]
): number {
  const references = all.filter((reference) => isOfNotes(id, reference))
  const found = references.filter((reference) => texts.some((text) => containsReference(text, reference)))
  if (found.length === 0) return 0
  return match === 'any' ? 1 : found.length / references.length
}
