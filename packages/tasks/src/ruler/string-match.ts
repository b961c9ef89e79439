/**
 * RULER's metrics (NVIDIA/RULER, `eval/synthetic/constants.py`): plain substrings of the whole response, ignoring case. "12"
 * matches in "1234", and a response that lists everything is right, so the package's own metrics are reported too.
 */
import type { Sample } from '../task.ts'
import { scoreAnswer } from '../verifiers/score.ts'

/** `string_match_all`: the share of the references that the response contains, 0..1; 0 without references. */
export function stringMatchAll(response: string, references: readonly string[]): number {
  const found = references.filter((reference) => isIn(reference, response)).length
  return references.length === 0 ? 0 : found / references.length
}

/** `string_match_part`: 1 when the response contains any of the references, else 0. */
export const stringMatchPart = (response: string, references: readonly string[]): number =>
  references.some((reference) => isIn(reference, response)) ? 1 : 0

/** `ruler` for the response, plus `strict` and `lenient` for the answer in it. */
export function scoreRuler(
  sample: Pick<Sample, 'references' | 'match'>,
  answer: string | undefined,
  response = answer,
): { ruler: number; strict: number; lenient: number } {
  const match = sample.match === 'all' ? stringMatchAll : stringMatchPart
  return { ruler: match(response ?? '', sample.references), ...scoreAnswer(sample, answer) }
}

const isIn = (reference: string, response: string): boolean =>
  printable(response).toLowerCase().includes(reference.toLowerCase())

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const control = /[\x00-\x1f]/g

/** Like RULER before it compares, turns control characters into line ends. */
const printable = (response: string): string => response.trim().replace(control, '\n').trim()
