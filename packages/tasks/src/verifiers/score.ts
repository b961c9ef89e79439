/** The metrics every task of this package reports. */
import type { Sample } from '../task.ts'
import { lenientScore } from './lenient.ts'
import { strictScore } from './strict.ts'

/**
 * `strict` and `lenient`, each 0..1. Without an answer in the document, only `undefined` ("not in the text") is right; an
 * empty answer is always wrong.
 */
export function scoreAnswer(
  sample: Pick<Sample, 'references' | 'match'>,
  answer: string | undefined,
): { strict: number; lenient: number } {
  if (sample.references.length === 0) {
    const right = answer === undefined ? 1 : 0
    return { strict: right, lenient: right }
  }
  if (answer === undefined) return { strict: 0, lenient: 0 }
  const strict = strictScore(answer, sample.references, sample.match)
  // A list without spaces, "12,130", may look like one number.
  const lenient = Math.max(strict, lenientScore(answer, sample.references, sample.match))
  return { strict, lenient }
}
