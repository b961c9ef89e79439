import { containsReference, type Sample } from '@memagent/tasks'

/**
 * How much of the answer the texts hold together, from 0 to 1: the share of the references found, or 1 for any if they are
 * spellings of one answer. 0 without references.
 */
export function foundReferences(
  { references, match }: Pick<Sample, 'references' | 'match'>,
  ...texts: readonly string[]
): number {
  const found = references.filter((reference) => texts.some((text) => containsReference(text, reference)))
  if (found.length === 0) return 0
  return match === 'any' ? 1 : found.length / references.length
}
