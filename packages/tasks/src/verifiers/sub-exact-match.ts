/**
 * The metric of MemAgent's evaluation, `sub_em` (BytedTsinghua-SIA/MemAgent, `memory_eval/utils`): the answer contains the
 * reference, or the reference contains the answer. An answer that is a part of the right one counts, even "The", so it is
 * for comparison with published figures and no measure of being right.
 */
import { squadWords } from './token-f1.ts'

/** 1 or 0, both sides normalized as SQuAD does. No answer is wrong; the published code looks at the first reference only. */
export function subExactMatch(answer: string | undefined, reference: string | undefined): number {
  if (!answer?.trim() || reference === undefined) return 0
  const [said, wanted] = [squadWords(answer).join(' '), squadWords(reference).join(' ')]
  return said.includes(wanted) || wanted.includes(said) ? 1 : 0
}
