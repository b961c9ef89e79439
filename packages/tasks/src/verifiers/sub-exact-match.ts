/**
 * The metric of MemAgent's evaluation, `sub_em` (BytedTsinghua-SIA/MemAgent, `memory_eval/utils`): the answer contains the
 * reference, or the reference contains the answer. Part of the right answer counts, even "The", so it serves
 * for comparison with published figures and does not measure correctness.
 */
import { squadWords } from './token-f1.ts'

/** 1 or 0, after SQuAD's normalization of both. No answer scores 0. The published code uses only the first reference. */
export function subExactMatch(answer: string | undefined, reference: string | undefined): number {
  if (!answer?.trim() || reference === undefined) return 0
  const [said, wanted] = [squadWords(answer).join(' '), squadWords(reference).join(' ')]
  return said.includes(wanted) || wanted.includes(said) ? 1 : 0
}
