import { containsReference, isOfNotes } from '@memagent/tasks'
import type { Signature } from '../signature.ts'

/**
 * The memory carried the wrong answer as if it were the fact; it was not made up at the end. In a list, one wrong part
 * suffices.
 */
export const capturedLure: Signature = {
  name: 'captured-lure',
  title: 'captured a lure',
  definition: 'The final memory holds the wrong answer that was given.',
  isIn({ record: { references, trace, sampleId }, answer }) {
    const memory = trace.at(-1)?.memory ?? ''
    const isWrong = (part: string) =>
      !references.some(
        (reference) => containsReference(part, reference) || containsReference(reference, part),
      )
    const parts = [answer, ...answer.split(/[,;\n]|\band\b/i)]
    return parts.some((part) => isWrong(part) && isOfNotes(sampleId, part) && containsReference(memory, part))
  },
}
