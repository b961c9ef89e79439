/** Where in a document the evidence is, as far as known: labels for the rewards of gates. */
import type { ByteRange } from '@memagent/core'
import type { Sample } from '@memagent/tasks'

/**
 * The statements that a perfect reader notes or, if the task does not tell those, the ones that the answer rests on. Empty if
 * the text does not answer.
 * @returns undefined if nothing is known
 */
export function evidenceOf({
  notes,
  supportingFacts = [],
  evidence,
  references,
}: Sample): readonly ByteRange[] | undefined {
  if (notes) return notes.map(({ statement }) => statement)
  const known = [...supportingFacts, ...evidence]
  return known.length === 0 && references.length > 0 ? undefined : known
}

/** Whether a chunk holds any part of the evidence. */
export const holdsEvidence = (chunk: ByteRange, evidence: readonly ByteRange[]): boolean =>
  evidence.some(({ startByte, endByte }) => startByte < chunk.endByte && chunk.startByte < endByte)
