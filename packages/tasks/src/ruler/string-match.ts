/**
 * RULER's metrics (NVIDIA/RULER, `eval/synthetic/constants.py`): plain substrings, whatever their case. "12" is in "1234",
 * and an answer that lists everything is right; the package's own metrics stand beside them for that reason.
 */
import type { Sample } from '../task.ts'
import { scoreAnswer } from '../verifiers/score.ts'

/** `string_match_all`: the share of the references that the answer contains, 0..1; 0 without references. */
export function stringMatchAll(answer: string, references: readonly string[]): number {
  const found = references.filter((reference) => isIn(reference, answer)).length
  return references.length === 0 ? 0 : found / references.length
}

/** `string_match_part`: 1 when the answer contains any of the references, else 0. */
export const stringMatchPart = (answer: string, references: readonly string[]): number =>
  references.some((reference) => isIn(reference, answer)) ? 1 : 0

/** `ruler` beside `strict` and `lenient`; no answer is wrong in each. */
export function scoreRuler(
  sample: Pick<Sample, 'references' | 'match'>,
  answer: string | undefined,
): { ruler: number; strict: number; lenient: number } {
  const match = sample.match === 'all' ? stringMatchAll : stringMatchPart
  return { ruler: match(answer ?? '', sample.references), ...scoreAnswer(sample, answer) }
}

const isIn = (reference: string, answer: string): boolean =>
  printable(answer).toLowerCase().includes(reference.toLowerCase())

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const control = /[\x00-\x1f]/g

/** As RULER does before it compares: control characters become line ends. */
const printable = (answer: string): string => answer.trim().replace(control, '\n').trim()
